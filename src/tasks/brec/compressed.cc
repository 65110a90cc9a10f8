#include "tasks/brec/compressed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "floydnet/error.h"
#include "wl/orbits.h"
#include "wl/parallel.h"
#include "wl/space.h"

namespace floydnet::brec {
namespace {

using Matrix = std::vector<double>;

/// out[rows, out] = x[rows, in] w[out, in]^T
void multiply(const Matrix& x, const Matrix& w, int64_t in, Matrix& result) {
  const auto rows = static_cast<int64_t>(x.size()) / in, out = static_cast<int64_t>(w.size()) / in;
  result.resize(static_cast<size_t>(rows * out));
  for (int64_t row = 0; row < rows; ++row) {
    const double* from = x.data() + row * in;
    double* to = result.data() + row * out;
    for (int64_t o = 0; o < out; ++o) {
      to[o] = std::inner_product(from, from + in, w.data() + o * in, 0.0);
    }
  }
}

class Evaluation {
 public:
  Evaluation(const FrozenWeights& weights, const Graph& graph, int threads, int64_t max_bytes)
      : weights_(weights),
        dim_(weights.dim),
        n_(graph.nodes()),
        threads_(threads),
        space_(wl::TupleOrbits(graph, weights.order, max_bytes)) {
    number_cells();
    init(graph);
  }

  std::vector<double> run() {
    std::vector<double> means;
    normalise(nullptr);
    for (const FrozenWeights::Block& block : weights_.blocks) {
      refine(block);
      normalise(&means);
    }
    return means;
  }

 private:
  void number_cells() {
    std::vector<uint32_t> numbers(static_cast<size_t>(space_.cells()));
    std::iota(numbers.begin(), numbers.end(), 0u);
    space_.fill_rows(numbers.data(), rows_);
    sizes_.resize(numbers.size());
    for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
      const auto cells = space_.cells_of(prefix);
      for (int64_t i = 0; i < cells.count; ++i) {
        sizes_[static_cast<size_t>(cells.first + i)] =
            static_cast<double>(cells.weight) * (cells.sizes == nullptr ? 1 : cells.sizes[i]);
      }
    }
    tuples_ = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
  }

  static int64_t last_coordinate(const wl::TupleSpace::Cells& cells, int64_t i) {
    return cells.points == nullptr ? i : cells.points[i];
  }

  void init(const Graph& graph) {
    const std::vector<uint8_t> adjacency = graph.adjacency();
    states_.resize(sizes_.size() * static_cast<size_t>(dim_));
    for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
      const auto cells = space_.cells_of(prefix);
      auto tuple = space_.prefix_tuple(prefix);
      for (int64_t i = 0; i < cells.count; ++i) {
        tuple[static_cast<size_t>(weights_.order - 1)] = last_coordinate(cells, i);
        init_cell(graph, adjacency, tuple, states_.data() + (cells.first + i) * dim_);
      }
    }
  }

  void init_cell(const Graph& graph, const std::vector<uint8_t>& adjacency,
                 const std::array<int64_t, kMaxOrder>& tuple, double* state) const {
    const auto add = [&](const double* row) {
      for (int64_t c = 0; c < dim_; ++c) state[c] += row[c];
    };
    std::copy(weights_.bias.begin(), weights_.bias.end(), state);
    for (size_t a = 0; a < weights_.nodes.size(); ++a) {
      const int64_t reals = graph.node_features.real_columns;
      for (int64_t c = 0; c < dim_; ++c) {
        for (int64_t f = 0; f < reals; ++f) {
          state[c] += weights_.nodes[a][static_cast<size_t>(c * reals + f)] *
                      graph.node_features.real(tuple[a], f);
        }
      }
    }
    for (const FrozenWeights::PairTable& pair : weights_.pairs) {
      const int64_t from = tuple[static_cast<size_t>(pair.a)];
      const int64_t to = tuple[static_cast<size_t>(pair.b)];
      add(pair.table.data() + adjacency[static_cast<size_t>(from * n_ + to)] * dim_);
    }
    const double* equality = weights_.equality.data();
    for (int a = 0; a < weights_.order; ++a) {
      for (int b = a + 1; b < weights_.order; ++b, equality += dim_) {
        if (tuple[static_cast<size_t>(a)] == tuple[static_cast<size_t>(b)]) add(equality);
      }
    }
  }

  /// Mean 0 and variance 1 of each channel over all tuples; the means before go to `means`.
  void normalise(std::vector<double>* means) {
    for (int64_t c = 0; c < dim_; ++c) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < sizes_.size(); ++i) mean += sizes_[i] * at(i, c);
      mean /= tuples_;
      for (size_t i = 0; i < sizes_.size(); ++i) {
        variance += sizes_[i] * (at(i, c) - mean) * (at(i, c) - mean);
      }
      const double factor = 1 / std::sqrt(variance / tuples_ + weights_.norm_eps);
      for (size_t i = 0; i < sizes_.size(); ++i) at(i, c) = (at(i, c) - mean) * factor;
      if (means != nullptr) means->push_back(mean);
    }
  }

  double& at(size_t cell, int64_t channel) {
    return states_[cell * static_cast<size_t>(dim_) + static_cast<size_t>(channel)];
  }

  void refine(const FrozenWeights::Block& block) {
    multiply(states_, block.qkv, dim_, qkv_);
    attended_.resize(states_.size());
    wl::parallel_for(threads_, space_.prefixes(), 16, [&](int64_t begin, int64_t end) {
      Scratch scratch;
      for (int64_t prefix = begin; prefix < end; ++prefix) attend(prefix, scratch);
    });
    multiply(attended_, block.proj, dim_, projected_);
    for (size_t i = 0; i < states_.size(); ++i) {
      states_[i] = projected_[i] + (weights_.residual ? states_[i] : 0.0);
    }
  }

  struct Scratch {
    std::vector<wl::TupleSpace::Source> sources;  // [pivots, order - 1]
    std::vector<const double*> rows;              // [pivots, order]: of qkv
    std::vector<double> logits;                   // [pivots]
  };

  void attend(int64_t prefix, Scratch& scratch) {
    const int roles = weights_.order - 1;
    scratch.sources.clear();
    for (int64_t p = 0; p < n_; ++p) {
      for (int r = 0; r < roles; ++r) scratch.sources.push_back(space_.source(prefix, r, p));
    }
    const int64_t width = (1 + 2 * int64_t{weights_.order}) * dim_;
    const auto cells = space_.cells_of(prefix);
    for (int64_t i = 0; i < cells.count; ++i) {
      const int64_t last = last_coordinate(cells, i);
      scratch.rows.clear();
      for (int64_t p = 0; p < n_; ++p) {
        for (int r = 0; r < roles; ++r) {
          const auto& source = scratch.sources[static_cast<size_t>(p * roles + r)];
          const int64_t image = source.images == nullptr ? last : source.images[last];
          scratch.rows.push_back(qkv_.data() + width * cell(source.prefix, image));
        }
        scratch.rows.push_back(qkv_.data() + width * cell(prefix, p));
      }
      attend_cell(cells.first + i, scratch);
    }
  }

  int64_t cell(int64_t prefix, int64_t last) const {
    return rows_[static_cast<size_t>(prefix * n_ + last)];
  }

  void attend_cell(int64_t target, Scratch& scratch) {
    const int64_t order = weights_.order, head_dim = dim_ / weights_.heads;
    const double* query = qkv_.data() + (1 + 2 * order) * dim_ * target;
    scratch.logits.resize(static_cast<size_t>(n_));
    for (int64_t head = 0; head < weights_.heads; ++head) {
      const int64_t channel = head * head_dim;
      double most = -std::numeric_limits<double>::infinity();
      for (int64_t p = 0; p < n_; ++p) {
        const double* const* rows = scratch.rows.data() + p * order;
        double logit = 0;
        for (int64_t r = 0; r < order; ++r) {
          const double* key = rows[r] + (1 + r) * dim_ + channel;
          for (int64_t c = 0; c < head_dim; ++c) logit += query[channel + c] * key[c];
        }
        logit *= weights_.scale;
        most = std::max(most, logit);
        scratch.logits[static_cast<size_t>(p)] = logit;
      }
      double* out = attended_.data() + target * dim_ + channel;
      std::fill(out, out + head_dim, 0.0);
      double sum = 0;
      for (int64_t p = 0; p < n_; ++p) {
        const double weight = std::exp(scratch.logits[static_cast<size_t>(p)] - most);
        sum += weight;
        const double* const* rows = scratch.rows.data() + p * order;
        for (int64_t r = 0; r < order; ++r) {
          const double* value = rows[r] + (1 + order + r) * dim_ + channel;
          for (int64_t c = 0; c < head_dim; ++c) out[c] += weight * value[c];
        }
      }
      for (int64_t c = 0; c < head_dim; ++c) out[c] /= sum;
    }
  }

  const FrozenWeights& weights_;
  int64_t dim_, n_;
  int threads_;
  wl::TupleSpace space_;
  std::vector<uint32_t> rows_;  // [prefixes, n]: the cell of each tuple
  std::vector<double> sizes_;   // of orbits, by cell
  double tuples_ = 0;
  Matrix states_, qkv_, attended_, projected_;
};

}  // namespace

std::vector<double> compressed_means(const FrozenWeights& weights, const Graph& graph, int threads,
                                     int64_t max_bytes) {
  return Evaluation(weights, graph, threads, max_bytes).run();
}

double orbit_count(const Graph& graph, int order, int64_t max_bytes) {
  try {
    return static_cast<double>(wl::TupleOrbits(graph, order, max_bytes).count());
  } catch (const InputError&) {
    return std::numeric_limits<double>::infinity();
  }
}

}  // namespace floydnet::brec
