#include "tasks/tsp/solver/prove.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

namespace floydnet::tsp {
namespace {

using nlohmann::json;

/// Only cuts that a multiplier uses, in the order of first use.
class UsedCuts {
 public:
  explicit UsedCuts(const CutPool& pool) : pool_(pool) {}

  json multipliers(const Duals& duals) {
    json cuts = json::array();
    for (const auto& [cut, mu] : duals.cuts) {
      const auto [at, is_new] = numbers_.try_emplace(cut, list_.size());
      if (is_new) list_.push_back(pool_[cut].sets);
      cuts.push_back({at->second, mu});
    }
    return {{"cities", duals.cities}, {"cuts", std::move(cuts)}};
  }
  json list() const { return list_; }

 private:
  const CutPool& pool_;
  std::unordered_map<int, std::size_t> numbers_;
  std::vector<std::vector<NodeSet>> list_;
};

json header(const Instance& instance, const Tour& tour, Length scale) {
  return {{"format", kCertificateFormat},
          {"weights", weights_fingerprint(instance)},
          {"length", tour_length(instance, tour)},
          {"tour", tour},
          {"scale", scale}};
}

Certificate sealed(const json& content) {
  std::string text = content.dump();
  text.pop_back();  // the closing brace
  text += certificate_end(text);
  return {text};
}

/// Depth first; below each branching edge first all without it, then all with it.
json tree_of(const std::vector<SearchNode>& nodes, UsedCuts& cuts) {
  json tree = json::array();
  std::vector<int> stack = {0};
  while (!stack.empty()) {
    const SearchNode& node = nodes[stack.back()];
    stack.pop_back();
    if (node.children[0] < 0) {
      tree.push_back(cuts.multipliers(node.duals));
      continue;
    }
    const auto [u, v] = nodes[node.children[0]].decision.edge;
    tree.push_back({u, v});
    stack.push_back(node.children[1]);
    stack.push_back(node.children[0]);
  }
  return tree;
}

}  // namespace

Certificate certificate_of(const Instance& instance, const BranchAndCut& search) {
  UsedCuts cuts(search.pool());
  json content = header(instance, search.best(), search.scale());
  if (search.elimination()) content["fixing"] = cuts.multipliers(*search.elimination());
  content["tree"] = tree_of(search.nodes(), cuts);
  content["cuts"] = cuts.list();
  return sealed(content);
}

Certificate trivial_certificate(const Instance& instance, const Tour& tour) {
  return sealed(header(instance, tour, /*scale=*/1));
}

}  // namespace floydnet::tsp
