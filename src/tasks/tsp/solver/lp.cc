#include "tasks/tsp/solver/lp.h"

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <limits>
#include <set>

namespace floydnet::tsp {
namespace {

constexpr double kSlack = 1e-3;
/// Larger costs than this strain the simplex method's absolute tolerances.
constexpr double kLargestCost = 1e6;

/// Ends a solve at the limit. The clock is read every few iterations only.
class Interrupter : public ClpEventHandler {
 public:
  explicit Interrupter(const Limit& limit) : limit_(limit) {}
  int event(Event which) override {
    if (which != endOfIteration || ++iterations_ % 16 != 0) return -1;
    return limit_.reached() ? 0 : -1;
  }
  ClpEventHandler* clone() const override { return new Interrupter(*this); }

 private:
  const Limit& limit_;
  int iterations_ = 0;
};

/// Rows or columns in compressed form.
struct Sparse {
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> indices;
  std::vector<double> elements;

  void add(int index, double element) {
    indices.push_back(index);
    elements.push_back(element);
  }
  void end() { starts.push_back(static_cast<CoinBigIndex>(indices.size())); }
};

std::pair<Length, Length> weight_range(const Instance& instance) {
  Length least = instance.weight(0, 1);
  Length largest = least;
  for (int u = 0; u < instance.cities(); ++u) {
    for (int v = u + 1; v < instance.cities(); ++v) {
      least = std::min(least, instance.weight(u, v));
      largest = std::max(largest, instance.weight(u, v));
    }
  }
  return {least, largest};
}

int coefficient(const Cut& cut, const Edge& edge) {
  int separated = 0;
  for (const NodeSet& set : cut.sets) {
    const bool has_u = std::binary_search(set.begin(), set.end(), edge.u);
    const bool has_v = std::binary_search(set.begin(), set.end(), edge.v);
    separated += has_u != has_v ? 1 : 0;
  }
  return separated;
}

}  // namespace

struct Lp::Model {
  ClpSimplex simplex;
};

Lp::Lp(const Instance& instance, Length scale, const CutPool& pool, const Tour* forbidden,
       const Limit& limit)
    : instance_(instance), scale_(scale), pool_(pool), model_(std::make_unique<Model>()) {
  const int n = instance.cities();
  const auto [least, largest] = weight_range(instance);
  least_ = least;
  const double range = static_cast<double>(largest - least + 1);
  cost_unit_ = std::min(1.0, kLargestCost / range);
  largest_cost_ = cost_unit_ * range;
  ClpSimplex& simplex = model_->simplex;
  simplex.setLogLevel(0);
  simplex.setPerturbation(100);  // none: solves are short
  const Interrupter interrupter(limit);
  simplex.passInEventHandler(&interrupter);
  if (forbidden != nullptr) {
    next_forbidden_.resize(forbidden->size());
    for (int i = 0; i < n; ++i) next_forbidden_[(*forbidden)[i]] = (*forbidden)[(i + 1) % n];
  }
  simplex.resize(first_cut_row(), 0);
  for (int city = 0; city < n; ++city) simplex.setRowBounds(city, 2, 2);
  if (forbidden != nullptr) simplex.setRowBounds(n, -COIN_DBL_MAX, n - 2);
}

Lp::~Lp() = default;

void Lp::add_edges(const std::vector<Edge>& edges) {
  Sparse columns;
  std::vector<double> costs;
  for (const Edge& edge : edges) {
    const auto [u, v] = edge;
    if (!columns_.try_emplace(key(edge), static_cast<int>(edges_.size())).second) continue;
    edges_.push_back(edge);
    costs.push_back(static_cast<double>(instance_.weight(u, v) - least_) * cost_unit_);
    columns.add(u, 1);
    columns.add(v, 1);
    if (!next_forbidden_.empty() && (next_forbidden_[u] == v || next_forbidden_[v] == u)) {
      columns.add(instance_.cities(), 1);
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const int separated = coefficient(pool_[rows_[row].cut], edge);
      if (separated > 0) columns.add(first_cut_row() + static_cast<int>(row), separated);
    }
    columns.end();
  }
  const std::vector<double> lower(costs.size(), 0);
  const std::vector<double> upper(costs.size(), 1);
  model_->simplex.addColumns(static_cast<int>(costs.size()), lower.data(), upper.data(),
                             costs.data(), columns.starts.data(), columns.indices.data(),
                             columns.elements.data());
}

int Lp::add_cuts(const std::vector<int>& cuts) {
  Sparse rows;
  std::vector<double> lower;
  in_lp_.resize(static_cast<std::size_t>(pool_.size()));
  std::vector<int> separated(edges_.size());
  std::vector<char> inside(static_cast<std::size_t>(instance_.cities()));
  for (const int cut : cuts) {
    if (in_lp_[cut]) continue;
    in_lp_[cut] = true;
    rows_.push_back({cut, 0});
    lower.push_back(pool_[cut].rhs());
    std::fill(separated.begin(), separated.end(), 0);
    for (const NodeSet& set : pool_[cut].sets) {
      for (const int city : set) inside[city] = 1;
      for (std::size_t column = 0; column < edges_.size(); ++column) {
        separated[column] += inside[edges_[column].u] ^ inside[edges_[column].v];
      }
      for (const int city : set) inside[city] = 0;
    }
    for (std::size_t column = 0; column < edges_.size(); ++column) {
      if (separated[column] > 0) rows.add(static_cast<int>(column), separated[column]);
    }
    rows.end();
  }
  const std::vector<double> upper(lower.size(), COIN_DBL_MAX);
  model_->simplex.addRows(static_cast<int>(lower.size()), lower.data(), upper.data(),
                          rows.starts.data(), rows.indices.data(), rows.elements.data());
  return static_cast<int>(lower.size());
}

void Lp::remove_slack_cuts(int rounds) {
  ClpSimplex& simplex = model_->simplex;
  const double* activity = simplex.primalRowSolution();
  std::vector<int> removed;
  std::vector<Row> kept;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Row row = rows_[i];
    const int number = first_cut_row() + static_cast<int>(i);
    const bool slack = activity[number] > pool_[row.cut].rhs() + kSlack &&
                       simplex.getRowStatus(number) == ClpSimplex::basic;
    row.slack_rounds = slack ? row.slack_rounds + 1 : 0;
    if (row.slack_rounds >= rounds) {
      removed.push_back(number);
      in_lp_[row.cut] = false;
    } else {
      kept.push_back(row);
    }
  }
  rows_ = std::move(kept);
  if (!removed.empty()) simplex.deleteRows(static_cast<int>(removed.size()), removed.data());
}

void Lp::keep_edges(const std::vector<Edge>& edges) {
  ClpSimplex& simplex = model_->simplex;
  std::vector<bool> keep(edges_.size());
  for (const Edge& edge : edges) {
    const auto found = columns_.find(key(edge));
    if (found != columns_.end()) keep[found->second] = true;
  }
  std::vector<int> removed;
  std::vector<Edge> kept;
  columns_.clear();
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const int column = static_cast<int>(i);
    if (!keep[i] && simplex.getColumnStatus(column) != ClpSimplex::basic) {
      removed.push_back(column);
      continue;
    }
    if (!keep[i]) simplex.setColumnUpper(column, 0);
    columns_[key(edges_[i])] = static_cast<int>(kept.size());
    kept.push_back(edges_[i]);
  }
  edges_ = std::move(kept);
  if (!removed.empty()) simplex.deleteColumns(static_cast<int>(removed.size()), removed.data());
}

void Lp::fix(const Edge& edge, bool taken) {
  if (!has(edge)) add_edges({edge});
  const double value = taken ? 1 : 0;
  model_->simplex.setColumnBounds(columns_.at(key(edge)), value, value);
}

void Lp::release(const Edge& edge) {
  model_->simplex.setColumnBounds(columns_.at(key(edge)), 0, 1);
}

LpStatus Lp::solve() {
  ClpSimplex& simplex = model_->simplex;
  simplex.dual();
  if (simplex.status() == 4 || simplex.status() == 2) {  // numerical trouble
    simplex.allSlackBasis(true);
    simplex.primal();
  }
  if (simplex.status() == 0) return LpStatus::kOptimal;
  return simplex.status() == 1 ? LpStatus::kInfeasible : LpStatus::kInterrupted;
}

const double* Lp::values() const { return model_->simplex.primalColumnSolution(); }

Duals Lp::duals(double ray) const {
  const ClpSimplex& simplex = model_->simplex;
  std::vector<double> values(simplex.dualRowSolution(),
                             simplex.dualRowSolution() + simplex.numberRows());
  if (ray != 0) {
    const double length = ray * largest_cost_;
    const std::unique_ptr<double[]> direction(simplex.infeasibilityRay());
    for (std::size_t i = 0; direction != nullptr && i < values.size(); ++i) {
      values[i] += length * direction[i];
    }
  }
  Duals result;
  for (int city = 0; city < instance_.cities(); ++city) {
    result.cities.push_back(to_fixed_point(values[city] / cost_unit_, scale_) +
                            least_ * scale_ / 2);
  }
  if (!next_forbidden_.empty()) {
    result.forbidden =
        2 *
        std::max<Length>(0, to_fixed_point(-values[instance_.cities()] / 2 / cost_unit_, scale_));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double value = values[first_cut_row() + static_cast<int>(i)];
    const Length mu = to_fixed_point(value / cost_unit_, scale_);
    if (mu > 0) result.cuts.emplace_back(rows_[i].cut, mu);
  }
  return result;
}

double Lp::objective_with(int column, double value, const std::vector<unsigned char>& basis) {
  ClpSimplex& simplex = model_->simplex;
  simplex.setColumnBounds(column, value, value);
  simplex.dual();
  const double objective =
      simplex.status() == 1 ? std::numeric_limits<double>::infinity() : simplex.objectiveValue();
  simplex.setColumnBounds(column, 0, 1);
  std::copy(basis.begin(), basis.end(), simplex.statusArray());
  return objective / cost_unit_;
}

void Lp::try_branches(std::vector<Trial>& trials, int iterations) {
  ClpSimplex& simplex = model_->simplex;
  const double objective = simplex.objectiveValue() / cost_unit_;
  const std::vector<unsigned char> basis(
      simplex.statusArray(),
      simplex.statusArray() + simplex.numberRows() + simplex.numberColumns());
  const int before = simplex.maximumIterations();
  simplex.setMaximumIterations(iterations);
  for (Trial& trial : trials) {
    trial.down = objective_with(trial.column, 0, basis) - objective;
    trial.up = objective_with(trial.column, 1, basis) - objective;
  }
  simplex.setMaximumIterations(before);
}

}  // namespace floydnet::tsp
