#include "tasks/tsp/solver/branch_and_cut.h"

#include <algorithm>
#include <cmath>

#include "tasks/tsp/solver/lin_kernighan.h"
#include "tasks/tsp/solver/neighbours.h"
#include "tasks/tsp/solver/separate.h"
#include "tasks/tsp/solver/tighten.h"

namespace floydnet::tsp {
namespace {

constexpr int kFirstNeighbours = 6;
constexpr int kMaxCutsPerRound = 100;
constexpr int kEnoughFromPool = 10;
constexpr int kSlackRounds = 2;
constexpr int kTrials = 6;
constexpr int kTrialIterations = 40;
constexpr double kWhole = 1e-6;
/// Combs with more slack than this are hardly ever violated after a few moves.
constexpr double kSlackToTighten = 0.5;

bool is_whole(const Support& support) {
  return std::all_of(support.edges.begin(), support.edges.end(),
                     [](const WeightedEdge& edge) { return edge.x > 1 - kWhole; });
}

}  // namespace

/// When cuts no longer pay off: too little of the gap was closed in the last rounds.
class BranchAndCut::TailingOff {
 public:
  explicit TailingOff(bool root) : rounds_(root ? 10 : 3), share_(root ? 0.03 : 0.15) {}

  /// In units of length.
  bool operator()(double bound, double target) {
    bounds_.push_back(bound);
    if (bounds_.size() <= rounds_) return false;
    const double before = bounds_[bounds_.size() - 1 - rounds_];
    return bound - before < share_ * std::max(target - before, kLeastGap);
  }

 private:
  /// Where a bound is at its target and a tour of that length is still to be found.
  static constexpr double kLeastGap = 0.01;

  std::size_t rounds_;
  double share_;
  std::vector<double> bounds_;
};

BranchAndCut::BranchAndCut(const Instance& instance, const ExactOptions& options,
                           const Limit& limit, const Tour& start, bool forbid_start)
    : instance_(instance),
      options_(options),
      limit_(limit),
      scale_(fixed_point_scale(instance)),
      forbid_start_(forbid_start),
      start_(start),
      best_(start),
      best_length_(tour_length(instance, start)),
      edges_(instance),
      lp_(instance, scale_, pool_, forbid_start ? &start_ : nullptr, limit) {}

Length BranchAndCut::target() const {
  return (forbid_start_ ? best_length_ : best_length_ - 1) * scale_;
}

bool BranchAndCut::hopeless(Length bound) const { return bound > target(); }

Length BranchAndCut::lower_bound() const {
  if (open_.empty()) return best_length_;
  const Length least = open_.begin()->first;
  return std::min(best_length_, (least + scale_ - 1) / scale_);
}

void BranchAndCut::report() const {
  if (!options_.progress) return;
  options_.progress({best_length_, lower_bound(), static_cast<std::int64_t>(nodes_.size()),
                     static_cast<std::int64_t>(open_.size())});
}

void BranchAndCut::add_first_edges() {
  const Neighbours neighbours = candidate_neighbours(instance_, kFirstNeighbours);
  std::vector<Edge> edges;
  for (int u = 0; u < instance_.cities(); ++u) {
    edges.push_back({start_[u], start_[(u + 1) % instance_.cities()]});
    for (const Neighbour* v = neighbours.begin(u); v != neighbours.end(u); ++v) {
      edges.push_back({u, v->city});
    }
  }
  lp_.add_edges(edges);
}

void BranchAndCut::run() {
  add_first_edges();
  nodes_.emplace_back();
  nodes_[0].duals.cities.resize(start_.size());  // which prove that no length is negative
  open_.insert({0, 0});
  while (!open_.empty()) {
    const auto [bound, node] = *open_.begin();
    move_to(node);
    if (!run_node(node)) return;
    report();
  }
  complete_ = true;
}

void BranchAndCut::move_to(int node) {
  for (const Decision& decision : decisions_) lp_.release(decision.edge);
  decisions_.clear();
  for (; node > 0; node = nodes_[node].parent) {
    const Decision& decision = nodes_[node].decision;
    lp_.fix(decision.edge, decision.taken);
    decisions_.push_back(decision);
  }
}

bool BranchAndCut::run_node(int node) {
  const std::pair<Length, int> entry = {nodes_[node].bound, node};
  Outcome outcome = solve_node(nodes_[node], TailingOff(/*root=*/node == 0));
  if (outcome == Outcome::kBranch) {
    improve_by_lp(support_of(instance_.cities(), lp_.edges(), lp_.values()));
  }
  if (node == 0 && outcome == Outcome::kBranch) {
    eliminate();
    outcome = solve_node(nodes_[node], TailingOff(/*root=*/false));
  }
  open_.erase(entry);
  if (outcome == Outcome::kDone) return true;
  open_.insert({nodes_[node].bound, node});
  return outcome == Outcome::kBranch && branch(node);
}

bool BranchAndCut::try_duals(SearchNode& node, const Duals& duals,
                             std::vector<PricedEdge>* missing) {
  const ReducedCosts costs(instance_, scale_, pool_, duals, forbid_start_ ? &start_ : nullptr);
  const Length bound = costs.bound(edges_, decisions_, missing);
  if (bound > node.bound) {
    node.bound = bound;
    node.duals = duals;
  }
  return hopeless(node.bound);
}

bool BranchAndCut::bound_node(SearchNode& node, LpStatus status, std::vector<PricedEdge>& missing) {
  if (status == LpStatus::kInfeasible) {
    // The ray's sign is a matter of convention, and its length of scaling.
    for (const double ray : {1.0, -1.0, 10.0, -10.0, 100.0, -100.0}) {
      missing.clear();
      if (try_duals(node, lp_.duals(ray), &missing)) return true;
    }
  } else if (try_duals(node, lp_.duals(0), &missing)) {
    return true;
  }
  const auto known = [&](const PricedEdge& priced) {
    return lp_.has(priced.edge) || priced.cost > -(scale_ >> 10);
  };
  missing.erase(std::remove_if(missing.begin(), missing.end(), known), missing.end());
  return false;
}

void BranchAndCut::add_missing(std::vector<PricedEdge>& missing) {
  std::sort(missing.begin(), missing.end(),
            [](const PricedEdge& a, const PricedEdge& b) { return a.cost < b.cost; });
  std::vector<Edge> edges;
  const auto most = static_cast<std::size_t>(instance_.cities());
  for (const PricedEdge& priced : missing) {
    if (edges.size() == most) break;
    edges.push_back(priced.edge);
  }
  lp_.add_edges(edges);
}

std::vector<Cut> BranchAndCut::separate(const Support& support, CutValues& values) const {
  std::vector<NodeSet> tight;
  std::vector<Cut> cuts = separate_subtours(support, tight);
  if (!cuts.empty()) return cuts;
  CombTightener tightened(support);
  for (int i = 0; i < lp_.cuts(); ++i) {
    const Cut& cut = pool_[lp_.cut(i)];
    if (cut.teeth() == 0 || values.violation(cut) < -kSlackToTighten) continue;
    Cut better = tightened(cut);
    if (values.violation(better) > kMinViolation) cuts.push_back(std::move(better));
  }
  std::vector<Cut> combs = separate_combs(support, tight);
  std::move(combs.begin(), combs.end(), std::back_inserter(cuts));
  return cuts;
}

bool BranchAndCut::add_violated_cuts(const Support& support) {
  CutValues values(support);
  std::vector<std::pair<double, int>> violated;
  const auto add_if_violated = [&](int number) {
    const double violation = values.violation(pool_[number]);
    if (violation > kMinViolation) violated.emplace_back(-violation, number);
  };
  // Cuts that were removed from the LP may be needed at another node.
  for (int i = 0; nodes_.size() > 1 && i < pool_.size(); ++i) add_if_violated(i);
  if (violated.size() < kEnoughFromPool) {
    for (Cut& cut : separate(support, values)) {
      add_if_violated(pool_.add(canonical(std::move(cut), instance_.cities())).first);
    }
  }
  std::sort(violated.begin(), violated.end());
  violated.erase(std::unique(violated.begin(), violated.end()), violated.end());
  if (violated.size() > kMaxCutsPerRound) violated.resize(kMaxCutsPerRound);
  std::vector<int> numbers;
  numbers.reserve(violated.size());
  for (const auto& [violation, number] : violated) numbers.push_back(number);
  return lp_.add_cuts(numbers) > 0;
}

void BranchAndCut::offer(const Tour& tour) {
  const Length length = tour_length(instance_, tour);
  if (forbid_start_ ? length > best_length_ : length >= best_length_) return;
  best_ = tour;
  best_length_ = length;
  found_other_ = forbid_start_;
}

void BranchAndCut::offer_tour(const Support& support) {
  if (!is_whole(support) || components(support, [](const WeightedEdge&) { return true; }).count > 1)
    return;
  std::vector<Edge> edges;
  for (const auto& [u, v, x] : support.edges) edges.push_back({u, v});
  offer(tour_of_edges(instance_, edges));
}

void BranchAndCut::improve_by_lp(const Support& support) {
  if (forbid_start_) return;
  std::vector<WeightedEdge> sorted = support.edges;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const WeightedEdge& a, const WeightedEdge& b) { return a.x > b.x; });
  std::vector<Edge> edges;
  edges.reserve(sorted.size());
  for (const auto& [u, v, x] : sorted) edges.push_back({u, v});
  LinKernighanOptions options;
  options.seed = options_.seed + nodes_.size();
  options.start = tour_of_edges(instance_, edges);
  options.kicks = nodes_.size() == 1 ? instance_.cities() : instance_.cities() / 10;
  options.time_limit = limit_.left();
  options.stop = limit_.stop();
  offer(lin_kernighan(instance_, options).tour);
}

BranchAndCut::Outcome BranchAndCut::solve_node(SearchNode& node, TailingOff tailing_off) {
  std::vector<PricedEdge> missing;
  if (hopeless(node.bound)) return Outcome::kDone;
  while (true) {
    const LpStatus status = lp_.solve();
    missing.clear();
    if (bound_node(node, status, missing)) return Outcome::kDone;
    if (status == LpStatus::kInterrupted || limit_.reached()) return Outcome::kInterrupted;
    if (!missing.empty()) {
      add_missing(missing);
      continue;
    }
    if (status == LpStatus::kInfeasible) return Outcome::kBranch;
    const Support support = support_of(instance_.cities(), lp_.edges(), lp_.values());
    offer_tour(support);
    if (found_other_) return Outcome::kInterrupted;
    if (hopeless(node.bound)) return Outcome::kDone;
    lp_.remove_slack_cuts(kSlackRounds);
    const auto unit = static_cast<double>(scale_);
    const bool enough =
        tailing_off(static_cast<double>(node.bound) / unit, static_cast<double>(target()) / unit);
    // Whole solutions leave nothing to branch on.
    if (enough && !is_whole(support)) return Outcome::kBranch;
    if (!add_violated_cuts(support)) return Outcome::kBranch;
  }
}

void BranchAndCut::eliminate() {
  Duals duals = lp_.duals(0);
  const ReducedCosts costs(instance_, scale_, pool_, duals, forbid_start_ ? &start_ : nullptr);
  const Length bound = costs.bound(edges_, {}, nullptr);
  std::vector<Edge> left;
  edges_.for_each([&](int u, int v) {
    if (hopeless(bound + costs.at_least(u, v))) return;
    const Length cost = costs(u, v);
    if (hopeless(bound + std::max<Length>(0, cost))) return;
    left.push_back({u, v});
    if (cost < 0 && hopeless(bound - cost)) edges_.fixed.push_back({u, v});
  });
  lp_.keep_edges(left);
  for (const Edge& edge : edges_.fixed) lp_.fix(edge, true);
  edges_.keep(std::move(left));
  elimination_ = std::move(duals);
}

/// For solutions in whole numbers whose bound is a rounding error short.
std::optional<Edge> BranchAndCut::undecided_edge() const {
  const auto decided = [&](const Edge& edge) {
    const auto same = [&](const Edge& other) { return other.u == edge.u && other.v == edge.v; };
    return std::any_of(edges_.fixed.begin(), edges_.fixed.end(), same) ||
           std::any_of(decisions_.begin(), decisions_.end(),
                       [&](const Decision& decision) { return same(decision.edge); });
  };
  for (std::size_t column = 0; column < lp_.edges().size(); ++column) {
    const Edge& edge = lp_.edges()[column];
    if (lp_.values()[column] > kWhole && !decided(edge)) return edge;
  }
  return std::nullopt;
}

/// The edge for which both branches raise the bound most.
std::optional<Edge> BranchAndCut::branching_edge() {
  std::vector<Lp::Trial> trials;
  const double* x = lp_.values();
  for (int column = 0; column < static_cast<int>(lp_.edges().size()); ++column) {
    if (x[column] > kWhole && x[column] < 1 - kWhole) trials.push_back({column, x[column], 0});
  }
  if (trials.empty()) return undecided_edge();
  std::stable_sort(trials.begin(), trials.end(), [](const Lp::Trial& a, const Lp::Trial& b) {
    return std::abs(a.down - 0.5) < std::abs(b.down - 0.5);
  });
  if (trials.size() > kTrials) trials.resize(kTrials);
  lp_.try_branches(trials, kTrialIterations);
  const double most = static_cast<double>(best_length_);
  const auto score = [&](const Lp::Trial& trial) {
    return 10 * std::min({trial.down, trial.up, most}) +
           std::min(std::max(trial.down, trial.up), most);
  };
  const auto best =
      std::max_element(trials.begin(), trials.end(),
                       [&](const Lp::Trial& a, const Lp::Trial& b) { return score(a) < score(b); });
  return lp_.edges()[best->column];
}

bool BranchAndCut::branch(int node) {
  const std::optional<Edge> edge = branching_edge();
  if (!edge) return false;
  open_.erase({nodes_[node].bound, node});
  for (const bool taken : {false, true}) {
    const int child = static_cast<int>(nodes_.size());
    nodes_.push_back({node, {*edge, taken}, nodes_[node].bound, {-1, -1}, nodes_[node].duals});
    nodes_[node].children[taken ? 1 : 0] = child;
    open_.insert({nodes_[node].bound, child});
  }
  nodes_[node].duals = {};
  return true;
}

}  // namespace floydnet::tsp
