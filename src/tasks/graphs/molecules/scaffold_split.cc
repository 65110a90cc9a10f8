#include "tasks/graphs/molecules/scaffold_split.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace floydnet::graphs {
namespace {

using Group = std::vector<size_t>;

/// Molecules of equal scaffold, ascending.
std::vector<Group> groups_of(const std::vector<std::string>& keys) {
  std::unordered_map<std::string, size_t> places;
  std::vector<Group> groups;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto [found, fresh] = places.emplace(keys[i], groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

}  // namespace

std::vector<Split> scaffold_split(const std::vector<std::string>& keys) {
  std::vector<Group> groups = groups_of(keys);
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return std::make_pair(a.size(), a.front()) > std::make_pair(b.size(), b.front());
  });
  const auto total = static_cast<double>(keys.size());
  const double most_train = 0.8 * total, most_both = 0.9 * total;
  size_t train = 0, validation = 0;
  std::vector<Split> splits(keys.size(), Split::kTest);
  for (const Group& group : groups) {
    Split split = Split::kTest;
    if (static_cast<double>(train + group.size()) <= most_train) {
      split = Split::kTrain;
      train += group.size();
    } else if (static_cast<double>(train + validation + group.size()) <= most_both) {
      split = Split::kValidation;
      validation += group.size();
    }
    for (const size_t i : group) splits[i] = split;
  }
  return splits;
}

}  // namespace floydnet::graphs
