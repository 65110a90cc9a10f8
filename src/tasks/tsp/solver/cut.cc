#include "tasks/tsp/solver/cut.h"

#include <algorithm>

namespace floydnet::tsp {
namespace {

NodeSet complement(const NodeSet& set, int cities) {
  NodeSet rest;
  auto at = set.begin();
  for (int city = 0; city < cities; ++city) {
    if (at != set.end() && *at == city) {
      ++at;
    } else {
      rest.push_back(city);
    }
  }
  return rest;
}

}  // namespace

Cut canonical(Cut cut, int cities) {
  for (NodeSet& set : cut.sets) std::sort(set.begin(), set.end());
  NodeSet& first = cut.sets.front();
  const std::size_t twice = 2 * first.size();
  const auto n = static_cast<std::size_t>(cities);
  if (twice > n || (twice == n && first.front() != 0)) first = complement(first, cities);
  std::sort(cut.sets.begin() + 1, cut.sets.end());
  return cut;
}

std::pair<int, bool> CutPool::add(const Cut& cut) {
  const auto [at, is_new] = numbers_.try_emplace(cut, size());
  if (is_new) cuts_.push_back(&at->first);
  return {at->second, is_new};
}

}  // namespace floydnet::tsp
