// matrix_chain_order, lcs_length, optimal_bst.
#include <limits>

#include "tasks/clrs/data/two_strings.h"

namespace floydnet::clrs {
namespace {

/// Rounds of relaxation from the state before the round, until the costs stay.
class MatrixChain {
 public:
  MatrixChain(const Reals& dimensions, Trace& trace)
      : p_(dimensions),
        n_(trace.nodes()),
        cost_(n_),
        split_(n_),
        known_(n_),
        by_row_(n_, kUnknown),
        by_column_(n_, kUnknown),
        trace_(trace) {
    for (int64_t i = 1; i < n_; ++i) {
      known_(i, i) = 1;
      by_row_(i, i) = by_column_(i, i) = 0;
    }
  }

  void run() {
    Matrix before;
    do {
      trace_.push(ArrayOrder{}, cost_, split_, known_);
      before = cost_;
      for (int64_t i = 1; i < n_; ++i) {
        for (int64_t j = i + 1; j < n_; ++j) relax(i, j);
      }
      end_round();
    } while (!(cost_ == before));
    trace_.outputs(split_);
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  void relax(int64_t i, int64_t j) {
    double least = by_row_(i, j);
    int64_t best = -1;
    for (int64_t k = i; k < j; ++k) {
      const double cost = (by_row_(i, k) + by_column_(j, k + 1)) + ((p_[i - 1] * p_[k]) * p_[j]);
      if (cost < least) {
        least = cost;
        best = k;
      }
    }
    if (best < 0) return;
    cost_(i, j) = least;
    split_(i, j) = static_cast<double>(best);
    known_(i, j) = 1;
  }

  void end_round() {
    for (int64_t i = 1; i < n_; ++i) {
      for (int64_t j = i + 1; j < n_; ++j) {
        if (known_(i, j) != 0) by_row_(i, j) = by_column_(j, i) = cost_(i, j);
      }
    }
  }

  const Reals& p_;
  int64_t n_;
  Matrix cost_, split_, known_;  // the probes; unknown costs are 0
  // Costs before the round, and their transpose: the innermost loop takes rows of both.
  Matrix by_row_, by_column_;
  Trace& trace_;
};

void matrix_chain_order(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  MatrixChain(problem.first, trace).run();
}

/// Cells of the first string's rows and the second's columns.
struct Table {
  int64_t rows, columns;
  Reals cells;

  Table(int64_t row_count, int64_t column_count)
      : rows(row_count), columns(column_count), cells(row_count * column_count, 0) {}
  double& operator()(int64_t i, int64_t j) { return cells[i * columns + j]; }
  double operator()(int64_t i, int64_t j) const { return cells[i * columns + j]; }
};

/// A table as part of the matrix of all nodes.
struct PairValues {
  const Table& table;
};

void fill(const Cells& cells, const PairValues& pairs) {
  const int64_t n = pairs.table.rows + pairs.table.columns;
  for (int64_t i = 0; i < pairs.table.rows; ++i) {
    const auto row = pairs.table.cells.begin() + i * pairs.table.columns;
    std::copy(row, row + pairs.table.columns, cells.data + i * n + pairs.table.rows);
  }
}

constexpr int64_t kMoves = 4;
enum Move { kDiagonal, kUp, kLeft, kBlank };

/// One-hot moves; pairs that do not belong to the table are blank, and masked.
struct PairMoves {
  const Table& moves;
};

void fill(const Cells& cells, const PairMoves& pairs) {
  const int64_t rows = pairs.moves.rows;
  const int64_t n = rows + pairs.moves.columns;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double* cell = cells.data + (i * n + j) * kMoves;
      if (i < rows && j >= rows) {
        cell[static_cast<int64_t>(pairs.moves(i, j - rows))] = 1;
      } else {
        cell[kBlank] = kMasked;
      }
    }
  }
}

class LongestCommonSubsequence {
 public:
  LongestCommonSubsequence(const Problem& problem, Trace& trace)
      : x_(problem.text),
        y_(problem.pattern),
        rows_(static_cast<int64_t>(x_.size())),
        columns_(static_cast<int64_t>(y_.size())),
        length_(rows_, columns_),
        move_(rows_, columns_),
        trace_(trace) {}

  void run() {
    for (int64_t i = 0; i < rows_; ++i) start(i, 0, i > 0 && length_(i - 1, 0) == 1, kUp);
    for (int64_t j = 0; j < columns_; ++j) start(0, j, j > 0 && length_(0, j - 1) == 1, kLeft);
    Table previous(0, 0);
    do {
      previous = length_;
      trace_.push(StringOrder{rows_}, PairMoves{move_}, PairValues{previous});
      for (int64_t i = 1; i < rows_; ++i) {
        for (int64_t j = 1; j < columns_; ++j) extend(previous, i, j);
      }
    } while (length_.cells != previous.cells);
    trace_.outputs(PairMoves{move_});
  }

 private:
  void set(int64_t i, int64_t j, double length, Move move) {
    length_(i, j) = length;
    move_(i, j) = move;
  }

  /// A cell of the first row or column; `found` says whether its predecessor has a match already.
  void start(int64_t i, int64_t j, bool found, Move from_predecessor) {
    if (x_[i] == y_[j]) {
      set(i, j, 1, kDiagonal);
    } else if (found) {
      set(i, j, 1, from_predecessor);
    } else {
      set(i, j, 0, kUp);
    }
  }

  void extend(const Table& previous, int64_t i, int64_t j) {
    if (x_[i] == y_[j]) {
      set(i, j, previous(i - 1, j - 1) + 1, kDiagonal);
    } else if (previous(i - 1, j) >= previous(i, j - 1)) {
      set(i, j, previous(i - 1, j), kUp);
    } else {
      set(i, j, previous(i, j - 1), kLeft);
    }
  }

  const Nodes& x_;
  const Nodes& y_;
  int64_t rows_, columns_;
  Table length_, move_;
  Trace& trace_;
};

void lcs_length(const Problem& problem, Trace& trace) {
  record_strings(problem, trace);
  LongestCommonSubsequence(problem, trace).run();
}

void optimal_bst(const Problem& problem, Trace& trace) {
  constexpr double kUnknown = 1e9;
  const Reals& q = problem.second;
  const int64_t n = trace.nodes();
  Reals p = problem.first;
  p.push_back(0);
  trace.inputs(Positions{}, p, q);
  Matrix cost(n), weight(n), root(n), known(n);
  const auto push = [&] { trace.push(ArrayOrder{}, root, cost, weight, known); };
  for (int64_t i = 0; i < n; ++i) {
    cost(i, i) = weight(i, i) = q[i];
    known(i, i) = 1;
  }
  push();
  for (int64_t length = 1; length < n; ++length) {
    for (int64_t i = 0; i + length < n; ++i) {
      const int64_t j = i + length;
      cost(i, j) = kUnknown;
      weight(i, j) = (weight(i, j - 1) + p[j - 1]) + q[j];
      for (int64_t r = i; r < j; ++r) {
        const double with_root = (cost(i, r) + cost(r + 1, j)) + weight(i, j);
        if (with_root < cost(i, j)) {
          cost(i, j) = with_root;
          root(i, j) = static_cast<double>(r);
        }
      }
      known(i, j) = 1;
    }
    push();
  }
  trace.outputs(root);
}

}  // namespace

std::vector<Algorithm> dynamic_programming_algorithms() {
  const Probe pos = node("pos", Type::kScalar);
  const Probe p = node("p", Type::kScalar);
  const Probe pred_h = node("pred_h", Type::kPointer);
  const Probe msk = edge("msk", Type::kMask);
  return {
      {"matrix_chain_order", Category::kDynamicProgramming, &kSortingSampler, matrix_chain_order,
       make_spec({pos, p}, {edge("s", Type::kPointer)},
                 {pred_h, edge("m", Type::kScalar), edge("s_h", Type::kPointer), msk})},
      {"lcs_length", Category::kDynamicProgramming, &kLcsSampler, lcs_length,
       make_spec(string_probes(), {edge("b", Type::kCategorical, kMoves)},
                 {pred_h, edge("b_h", Type::kCategorical, kMoves), edge("c", Type::kScalar)})},
      {"optimal_bst", Category::kDynamicProgramming, &kOptimalBstSampler, optimal_bst,
       make_spec({pos, p, node("q", Type::kScalar)}, {edge("root", Type::kPointer)},
                 {pred_h, edge("root_h", Type::kPointer), edge("e", Type::kScalar),
                  edge("w", Type::kScalar), msk})},
  };
}

}  // namespace floydnet::clrs
