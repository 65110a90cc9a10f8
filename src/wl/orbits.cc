#include "wl/orbits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include "floydnet/error.h"
#include "wl/relabel.h"

namespace floydnet::wl {
namespace {

constexpr uint32_t kNoPermutation = 0xffffffff;
/// Groups of at most this order are kept as lists of their members.
constexpr double kSmallOrder = 4096;

Permutation inverse(const uint16_t* images, int64_t n) {
  Permutation result(static_cast<size_t>(n));
  for (int64_t x = 0; x < n; ++x) result[images[x]] = static_cast<uint16_t>(x);
  return result;
}

/// The orbit of `start`, breadth first: where generator g takes x to y, "x to start" after the
/// inverse of g takes y to start.
void add_orbit(PointGroup& group, const std::vector<uint32_t>& inverses, uint16_t start,
               PermutationPool& pool) {
  const auto orbit = static_cast<uint16_t>(group.representatives.size());
  std::vector<uint16_t> queue = {start};
  group.to_representative[start] = PermutationPool::kIdentity;
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint16_t x = queue[at];
    group.orbit_of[x] = orbit;
    for (size_t g = 0; g < inverses.size(); ++g) {
      const uint16_t y = pool.image(group.generators[g], x);
      if (group.to_representative[y] != kNoPermutation) continue;
      group.to_representative[y] = pool.compose(group.to_representative[x], inverses[g]);
      queue.push_back(y);
    }
  }
  group.representatives.push_back(start);
  group.sizes.push_back(static_cast<uint32_t>(queue.size()));
}

}  // namespace

uint32_t TupleOrbits::add_orbits(PointGroup group) {
  group.orbit_of.resize(static_cast<size_t>(n_));
  group.to_representative.assign(static_cast<size_t>(n_), kNoPermutation);
  std::vector<uint32_t> inverses;
  for (const uint32_t g : group.generators) {
    inverses.push_back(pool_.intern(inverse(pool_.images(g), n_)));
  }
  for (int64_t x = 0; x < n_; ++x) {
    if (group.to_representative[static_cast<size_t>(x)] == kNoPermutation) {
      add_orbit(group, inverses, static_cast<uint16_t>(x), pool_);
    }
  }
  group_bytes_ += 12 * n_ + 4 * static_cast<int64_t>(group.generators.size());
  groups_.push_back(std::move(group));
  return static_cast<uint32_t>(groups_.size() - 1);
}

std::vector<uint32_t> TupleOrbits::members_of(const std::vector<uint32_t>& generators) {
  std::set<uint32_t> met = {PermutationPool::kIdentity};
  std::vector<uint32_t> queue = {PermutationPool::kIdentity};
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t member = queue[at];
    for (const uint32_t g : generators) {
      const uint32_t product = pool_.compose(g, member);
      if (met.insert(product).second) queue.push_back(product);
    }
  }
  met.erase(PermutationPool::kIdentity);
  return {met.begin(), met.end()};
}

uint32_t TupleOrbits::add_complete_group(const std::vector<uint32_t>& members) {
  const auto [known, is_new] = complete_groups_.try_emplace(members, 0);
  if (is_new) {
    PointGroup group;
    group.generators = members;
    group.complete = true;
    group.order = static_cast<double>(members.size() + 1);
    group_bytes_ += 4 * static_cast<int64_t>(members.size());
    known->second = add_orbits(std::move(group));
  }
  return known->second;
}

uint32_t TupleOrbits::add_group(const AutomorphismGroup& found) {
  PointGroup group;
  group.order = found.order;
  for (const Permutation& g : found.generators) group.generators.push_back(pool_.intern(g));
  if (group.order <= kSmallOrder) return add_complete_group(members_of(group.generators));
  return add_orbits(std::move(group));
}

bool TupleOrbits::fixes(const PointGroup& group, uint16_t point) const {
  return std::all_of(group.generators.begin(), group.generators.end(),
                     [&](uint32_t g) { return pool_.image(g, point) == point; });
}

uint32_t TupleOrbits::stabiliser(uint32_t group, uint16_t point, int64_t orbit_size,
                                 const std::vector<int32_t>& fixed,
                                 const Automorphisms& automorphisms) {
  if (groups_[group].trivial()) return group;
  const auto known = stabilisers_.find({group, point});
  if (known != stabilisers_.end()) return known->second;
  const uint32_t found = find_stabiliser(group, point, orbit_size, fixed, automorphisms);
  stabilisers_.emplace(std::pair(group, point), found);
  return found;
}

uint32_t TupleOrbits::find_stabiliser(uint32_t group, uint16_t point, int64_t orbit_size,
                                      const std::vector<int32_t>& fixed,
                                      const Automorphisms& automorphisms) {
  const PointGroup& its = groups_[group];
  if (fixes(its, point)) return group;
  if (its.complete) {
    std::vector<uint32_t> members;
    std::copy_if(its.generators.begin(), its.generators.end(), std::back_inserter(members),
                 [&](uint32_t g) { return pool_.image(g, point) == point; });
    return add_complete_group(members);
  }
  if (its.order <= static_cast<double>(orbit_size)) return add_complete_group({});
  return add_group(automorphisms.stabiliser(fixed));
}

int64_t TupleOrbits::number_children(Level& level) const {
  int64_t children = 0;
  for (Prefix& prefix : level) {
    prefix.first_child = static_cast<uint32_t>(children);
    children += static_cast<int64_t>(group(prefix).representatives.size());
    if (children >= kMaxKeys) throw InputError("wl: more than 2^32 orbits of tuples");
  }
  return children;
}

void TupleOrbits::add_level(const Automorphisms& automorphisms, int64_t max_bytes) {
  const Level& above = levels_.back();
  Level level;
  for (size_t i = 0; i < above.size(); ++i) {
    std::vector<int32_t> fixed;
    for (const uint16_t x : prefix_tuple(static_cast<int64_t>(i))) fixed.push_back(x);
    fixed.push_back(0);
    const uint32_t its_group = above[i].group;
    for (size_t child = 0; child < groups_[its_group].representatives.size(); ++child) {
      Prefix prefix;
      prefix.parent = static_cast<uint32_t>(i);
      prefix.point = groups_[its_group].representatives[child];
      const auto orbit_size = static_cast<int64_t>(groups_[its_group].sizes[child]);
      prefix.size = above[i].size * orbit_size;
      fixed.back() = prefix.point;
      prefix.group = stabiliser(its_group, prefix.point, orbit_size, fixed, automorphisms);
      level.push_back(prefix);
    }
    if (bytes() > max_bytes) {
      throw InputError(fmt::format(
          "wl: the orbits of tuples need more than the limit of {} MiB; raise --max-memory",
          max_bytes >> 20));
    }
  }
  levels_.push_back(std::move(level));
}

TupleOrbits::TupleOrbits(const Graph& graph, int order, int64_t max_bytes)
    : TupleOrbits(Automorphisms(graph), Automorphisms(graph).stabiliser({}), order, max_bytes) {}

TupleOrbits::TupleOrbits(const Automorphisms& automorphisms, const AutomorphismGroup& whole,
                         int order, int64_t max_bytes)
    : n_(automorphisms.nodes()), pool_(automorphisms.nodes()) {
  if (order < 1 || order > kMaxOrder) {
    throw std::invalid_argument(fmt::format("order {}, wanted 1..{}", order, kMaxOrder));
  }
  add_group(whole);
  levels_.push_back({Prefix{}});
  for (int level = 1; level < order; ++level) {
    const int64_t children = number_children(levels_.back());
    if (children > max_bytes / static_cast<int64_t>(sizeof(Prefix))) {
      throw InputError(
          fmt::format("wl: {} orbits of {}-tuples need more than the limit of {} MiB; "
                      "raise --max-memory",
                      children, level, max_bytes >> 20));
    }
    add_level(automorphisms, max_bytes);
  }
  count_ = number_children(levels_.back());
}

std::vector<uint16_t> TupleOrbits::prefix_tuple(int64_t prefix) const {
  std::vector<uint16_t> tuple(levels_.size() - 1);
  size_t at = static_cast<size_t>(prefix);
  for (size_t level = levels_.size() - 1; level > 0; --level) {
    tuple[level - 1] = levels_[level][at].point;
    at = levels_[level][at].parent;
  }
  return tuple;
}

int64_t TupleOrbits::index(const std::vector<int64_t>& tuple) const {
  if (tuple.size() != levels_.size()) {
    throw std::invalid_argument(
        fmt::format("a tuple of {}, wanted {} nodes", tuple.size(), levels_.size()));
  }
  std::vector<int64_t> moved = tuple;
  int64_t at = 0;
  for (size_t level = 0; level < levels_.size(); ++level) {
    const Prefix& prefix = levels_[level][static_cast<size_t>(at)];
    const auto x = static_cast<size_t>(moved[level]);
    at = prefix.first_child + int64_t{group(prefix).orbit_of.at(x)};
    const uint16_t* images = pool_.images(group(prefix).to_representative[x]);
    for (size_t rest = level + 1; rest < moved.size(); ++rest) moved[rest] = images[moved[rest]];
  }
  return at;
}

std::pair<int64_t, int64_t> TupleOrbits::prefix_and_child(int64_t orbit) const {
  const auto after = std::upper_bound(
      prefixes().begin(), prefixes().end(), orbit,
      [](int64_t wanted, const Prefix& prefix) { return wanted < prefix.first_child; });
  const int64_t prefix = after - prefixes().begin() - 1;
  return {prefix, orbit - prefixes()[static_cast<size_t>(prefix)].first_child};
}

std::vector<int64_t> TupleOrbits::representative(int64_t orbit) const {
  const auto [prefix, child] = prefix_and_child(orbit);
  const std::vector<uint16_t> start = prefix_tuple(prefix);
  std::vector<int64_t> tuple(start.begin(), start.end());
  tuple.push_back(
      group(prefixes()[static_cast<size_t>(prefix)]).representatives[static_cast<size_t>(child)]);
  return tuple;
}

int64_t TupleOrbits::orbit_size(int64_t orbit) const {
  const auto [at, child] = prefix_and_child(orbit);
  const Prefix& prefix = prefixes()[static_cast<size_t>(at)];
  return prefix.size * group(prefix).sizes[static_cast<size_t>(child)];
}

void TupleOrbits::append_targets(int64_t prefix, int role, std::vector<Target>& targets) {
  const auto last = static_cast<int>(levels_.size()) - 1;
  const std::vector<uint16_t> tuple = prefix_tuple(prefix);
  // A representative's first coordinates are a representative, too, so the walk starts at role r.
  size_t start = static_cast<size_t>(prefix);
  for (int level = last; level > role; --level)
    start = levels_[static_cast<size_t>(level)][start].parent;
  for (int64_t pivot = 0; pivot < n_; ++pivot) {
    Target target{static_cast<uint32_t>(start), PermutationPool::kIdentity};
    for (int level = role; level < last; ++level) {
      const Prefix& here = levels_[static_cast<size_t>(level)][target.prefix];
      const int64_t x = level == role ? pivot : tuple[static_cast<size_t>(level)];
      const size_t moved = pool_.image(target.permutation, x);
      const PointGroup& its_group = group(here);
      target.prefix = here.first_child + its_group.orbit_of[moved];
      target.permutation = pool_.compose(its_group.to_representative[moved], target.permutation);
    }
    targets.push_back(target);
  }
}

int64_t TupleOrbits::bytes() const {
  int64_t prefixes = 0;
  for (const Level& level : levels_) prefixes += static_cast<int64_t>(level.capacity());
  return prefixes * static_cast<int64_t>(sizeof(Prefix)) + pool_.bytes() + group_bytes_;
}

}  // namespace floydnet::wl
