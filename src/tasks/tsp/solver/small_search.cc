#include "tasks/tsp/solver/small_search.h"

#include <algorithm>
#include <limits>

#include "tasks/tsp/solver/greedy.h"

namespace floydnet::tsp {
namespace {

constexpr int kMaxNodes = 5000;
constexpr int kRootSteps = 60;
constexpr int kNodeSteps = 10;
constexpr Length kNever = std::numeric_limits<Length>::max() / 4;
/// What makes an edge that must be in the tree cheaper than all others.
constexpr Length kMust = Length{1} << 50;

}  // namespace

SmallSearch::SmallSearch(const Instance& instance, const Tour& start, bool forbid_start)
    : instance_(instance),
      n_(instance.cities()),
      forbid_start_(forbid_start),
      next_(start.size()),
      best_(start),
      target_(tour_length(instance, start) - (forbid_start ? 0 : 1)) {
  for (int i = 0; i < n_; ++i) next_[start[i]] = start[(i + 1) % n_];
}

bool SmallSearch::run() {
  const auto n = static_cast<std::size_t>(n_);
  visit({std::vector<State>(n * n, State::kFree), std::vector<Length>(n)}, kRootSteps);
  return nodes_ <= kMaxNodes;
}

/// False if no tour is left.
bool SmallSearch::decide(Node& node, int u, int v, State decision) const {
  state(node, u, v) = state(node, v, u) = decision;
  for (const int end : {u, v}) {
    int in = 0;
    int out = 0;
    for (int other = 0; other < n_; ++other) {
      if (other == end) continue;
      in += state(node, end, other) == State::kIn ? 1 : 0;
      out += state(node, end, other) == State::kOut ? 1 : 0;
    }
    if (in > 2 || n_ - 1 - out < 2) return false;
    if (in < 2) continue;
    for (int other = 0; other < n_; ++other) {
      if (other != end && state(node, end, other) == State::kFree) {
        state(node, end, other) = state(node, other, end) = State::kOut;
      }
    }
  }
  return true;
}

/// For comparison: edges that must be there come first, those that must not be are never taken.
Length SmallSearch::cost(const Node& node, int u, int v) const {
  const State its = node.states[u * n_ + v];
  if (its == State::kOut) return kNever;
  const Length real = instance_.weight(u, v) * kScale + node.potentials[u] + node.potentials[v];
  return its == State::kIn ? real - kMust : real;
}

/// The shortest spanning tree of all cities but the first, and two edges of that one; false if
/// there is none.
bool SmallSearch::one_tree(const Node& node, OneTree& tree) const {
  tree.edges.clear();
  tree.degrees.assign(static_cast<std::size_t>(n_), 0);
  tree.bound = 0;
  for (const Length potential : node.potentials) tree.bound -= 2 * potential;
  const auto add = [&](int u, int v, Length its_cost) {
    tree.edges.emplace_back(u, v);
    ++tree.degrees[u];
    ++tree.degrees[v];
    tree.bound += its_cost < -kMust / 2 ? its_cost + kMust : its_cost;
    return its_cost < kNever;
  };
  std::vector<Length> nearest(static_cast<std::size_t>(n_), kNever);
  std::vector<int> link(static_cast<std::size_t>(n_), 1);
  std::vector<int> left;
  for (int v = 2; v < n_; ++v) left.push_back(v);
  int last = 1;
  while (!left.empty()) {
    std::size_t closest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const int v = left[i];
      const Length through_last = cost(node, last, v);
      if (through_last < nearest[v]) {
        nearest[v] = through_last;
        link[v] = last;
      }
      if (nearest[v] < nearest[left[closest]]) closest = i;
    }
    last = left[closest];
    left[closest] = left.back();
    left.pop_back();
    if (!add(link[last], last, nearest[last])) return false;
  }
  int first = 1;
  int second = 2;
  if (cost(node, 0, second) < cost(node, 0, first)) std::swap(first, second);
  for (int v = 3; v < n_; ++v) {
    if (cost(node, 0, v) < cost(node, 0, first)) {
      second = first;
      first = v;
    } else if (cost(node, 0, v) < cost(node, 0, second)) {
      second = v;
    }
  }
  return add(0, first, cost(node, 0, first)) && add(0, second, cost(node, 0, second));
}

/// Subgradient steps towards trees in which all degrees are 2; false once nothing is left to find.
bool SmallSearch::ascend(Node& node, OneTree& tree, int steps) const {
  Length best = std::numeric_limits<Length>::min();
  std::vector<Length> best_potentials = node.potentials;
  Length damping = 1;
  for (int step = 0; step <= steps; ++step) {
    if (!one_tree(node, tree) || hopeless(tree.bound)) return false;
    if (tree.bound > best) {
      best = tree.bound;
      best_potentials = node.potentials;
    } else if (step % 4 == 3) {
      ++damping;
    }
    Length norm = 0;
    for (const int degree : tree.degrees) norm += (degree - 2) * (degree - 2);
    if (norm == 0) return true;
    const Length gap = (target_ + 1) * kScale - tree.bound;
    const Length size = std::max<Length>(1, gap / (norm * damping));
    for (int v = 0; v < n_; ++v) node.potentials[v] += size * (tree.degrees[v] - 2);
  }
  node.potentials = best_potentials;
  one_tree(node, tree);
  return true;
}

/// Of a city with too many edges, or, in a tour, any; both ends are 0 if none is free.
std::pair<int, int> SmallSearch::branching_edge(const Node& node, const OneTree& tree) const {
  std::pair<int, int> best = {0, 0};
  int most = -1;
  for (const auto& [u, v] : tree.edges) {
    const int degree = std::max(tree.degrees[u], tree.degrees[v]);
    if (node.states[u * n_ + v] != State::kFree || degree <= most) continue;
    most = degree;
    best = {u, v};
  }
  return best;
}

bool SmallSearch::is_forbidden(const OneTree& tree) const {
  return forbid_start_ &&
         std::all_of(tree.edges.begin(), tree.edges.end(), [&](const std::pair<int, int>& edge) {
           return next_[edge.first] == edge.second || next_[edge.second] == edge.first;
         });
}

void SmallSearch::offer(const OneTree& tree) {
  std::vector<Edge> edges;
  for (const auto& [u, v] : tree.edges) edges.push_back({u, v});
  best_ = tour_of_edges(instance_, edges);
  found_other_ = forbid_start_;
  target_ = tour_length(instance_, best_) - 1;
}

void SmallSearch::visit(Node node, int steps) {
  if (found_other_ || ++nodes_ > kMaxNodes) return;
  OneTree tree;
  if (!ascend(node, tree, steps)) return;
  const bool is_tour =
      std::all_of(tree.degrees.begin(), tree.degrees.end(), [](int degree) { return degree == 2; });
  if (is_tour && !is_forbidden(tree)) return offer(tree);
  const auto [u, v] = branching_edge(node, tree);
  if (u == v) return;
  for (const State decision : {State::kOut, State::kIn}) {
    Node child = node;
    if (decide(child, u, v, decision)) visit(std::move(child), kNodeSteps);
  }
}

}  // namespace floydnet::tsp
