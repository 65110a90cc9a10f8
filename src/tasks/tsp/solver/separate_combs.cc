#include <algorithm>
#include <cmath>

#include "tasks/tsp/solver/cut_tree.h"
#include "tasks/tsp/solver/separate.h"

namespace floydnet::tsp {
namespace {

constexpr double kIntegral = 1e-5;

/// Handle H and teeth F with x(delta(H) \ F) + |F| - x(F) < 1, |F| odd.
struct Blossom {
  std::vector<char> handle;  // by node
  std::vector<Edge> teeth;
};

/// For a handle, the best odd set of teeth: edges nearer to one than to zero; if that makes an even
/// number, the one that matters least changes sides.
double choose_teeth(const Support& support, Blossom& blossom) {
  double value = 0;
  double least = 2;
  const WeightedEdge* swap = nullptr;
  for (const WeightedEdge& edge : support.edges) {
    if (blossom.handle[edge.u] == blossom.handle[edge.v]) continue;
    const double x = std::min(edge.x, 1.0);
    value += std::min(x, 1 - x);
    if (x > 0.5) blossom.teeth.push_back({edge.u, edge.v});
    if (std::abs(2 * x - 1) < least) {
      least = std::abs(2 * x - 1);
      swap = &edge;
    }
  }
  if (blossom.teeth.size() % 2 == 1) return value;
  if (swap == nullptr) return 2;
  const auto same = [&](const Edge& tooth) { return tooth.u == swap->u && tooth.v == swap->v; };
  const auto at = std::find_if(blossom.teeth.begin(), blossom.teeth.end(), same);
  if (at != blossom.teeth.end()) {
    blossom.teeth.erase(at);
  } else {
    blossom.teeth.push_back({swap->u, swap->v});
  }
  return value + least;
}

/// Where two teeth share a node, that node changes sides and the teeth go; the value does not grow.
void part_teeth(Blossom& blossom) {
  std::vector<int> tooth_of(blossom.handle.size(), -1);
  std::vector<char> gone(blossom.teeth.size());
  for (std::size_t i = 0; i < blossom.teeth.size(); ++i) {
    for (const int node : {blossom.teeth[i].u, blossom.teeth[i].v}) {
      const int other = tooth_of[node];
      if (other < 0 || gone[other] != 0 || gone[i] != 0) {
        if (gone[i] == 0) tooth_of[node] = static_cast<int>(i);
        continue;
      }
      gone[other] = gone[i] = 1;
      blossom.handle[node] ^= 1;
    }
  }
  std::vector<Edge> left;
  for (std::size_t i = 0; i < gone.size(); ++i) {
    if (gone[i] == 0) left.push_back(blossom.teeth[i]);
  }
  blossom.teeth = std::move(left);
}

void append(NodeSet& set, const NodeSet& more) { set.insert(set.end(), more.begin(), more.end()); }

Cut comb_of(const Support& support, const Blossom& blossom) {
  Cut cut;
  cut.sets.emplace_back();
  for (int node = 0; node < support.size(); ++node) {
    if (blossom.handle[node] != 0) append(cut.sets[0], support.nodes[node]);
  }
  for (const auto& [u, v] : blossom.teeth) {
    cut.sets.push_back(support.nodes[u]);
    append(cut.sets.back(), support.nodes[v]);
  }
  return cut;
}

/// Whether each tooth still crosses the handle, and is disjoint from the others.
bool is_comb(const Blossom& blossom) {
  std::vector<char> used(blossom.handle.size());
  for (const auto& [u, v] : blossom.teeth) {
    if (blossom.handle[u] == blossom.handle[v] || used[u] != 0 || used[v] != 0) return false;
    used[u] = used[v] = 1;
  }
  return blossom.teeth.size() % 2 == 1 && blossom.teeth.size() >= 3;
}

void try_handle(const Support& support, const std::vector<int>& nodes, std::vector<Cut>& cuts) {
  Blossom blossom{std::vector<char>(support.nodes.size()), {}};
  for (const int node : nodes) blossom.handle[node] = 1;
  if (choose_teeth(support, blossom) > 1 - kMinViolation / 2) return;
  part_teeth(blossom);
  if (is_comb(blossom)) cuts.push_back(comb_of(support, blossom));
}

/// Padberg and Rao, as Letchford, Reinelt and Theis have it: among the cuts of a tree with
/// capacities min(x, 1 - x) there is the handle of a most violated blossom.
void add_blossoms(const Support& support, std::vector<Cut>& cuts) {
  std::vector<int> number(support.nodes.size(), -1);
  std::vector<int> nodes;
  std::vector<WeightedEdge> fractional;
  const auto number_of = [&](int node) {
    if (number[node] < 0) {
      number[node] = static_cast<int>(nodes.size());
      nodes.push_back(node);
    }
    return number[node];
  };
  for (const auto& [u, v, x] : support.edges) {
    const double capacity = std::min(x, 1 - x);
    if (capacity > kIntegral) fractional.push_back({number_of(u), number_of(v), capacity});
  }
  for (const TreeCut& cut : cut_tree(static_cast<int>(nodes.size()), fractional)) {
    if (cut.value > 1 - kMinViolation / 2) continue;
    std::vector<int> handle;
    for (const int node : cut.nodes) handle.push_back(nodes[node]);
    try_handle(support, handle, cuts);
  }
}

/// Contracts disjoint tight sets of at most `limit` cities, large ones first.
Support contract_tight(const Support& support, const std::vector<NodeSet>& sorted,
                       std::size_t limit) {
  std::vector<int> group(support.nodes.size(), -1);
  int groups = 0;
  for (auto set = sorted.rbegin(); set != sorted.rend(); ++set) {
    if (set->size() > limit) continue;
    if (std::any_of(set->begin(), set->end(), [&](int city) { return group[city] >= 0; })) continue;
    for (const int city : *set) group[city] = groups;
    ++groups;
  }
  for (int& its_group : group) {
    if (its_group < 0) its_group = groups++;
  }
  return contracted(support, group, groups);
}

}  // namespace

std::vector<Cut> separate_combs(const Support& support, const std::vector<NodeSet>& tight) {
  std::vector<Cut> cuts;
  add_blossoms(support, cuts);
  std::vector<NodeSet> sorted;
  for (const NodeSet& set : tight) {
    sorted.push_back(canonical({{set}}, support.size()).sets[0]);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NodeSet& a, const NodeSet& b) { return a.size() < b.size(); });
  std::size_t before = 0;
  for (const std::size_t limit : {2, 3, 4, 6, 8, 12, 20, 40, 100}) {
    const auto within = std::count_if(sorted.begin(), sorted.end(),
                                      [&](const NodeSet& set) { return set.size() <= limit; });
    if (static_cast<std::size_t>(within) == before) continue;
    before = static_cast<std::size_t>(within);
    add_blossoms(contract_tight(support, sorted, limit), cuts);
  }
  return cuts;
}

}  // namespace floydnet::tsp
