#include "wl/space.h"

#include <algorithm>
#include <utility>

namespace floydnet::wl {

TupleSpace::TupleSpace(int64_t n, int order) : n_(n), order_(order), prefixes_(1) {
  for (int r = order - 2; r >= 0; --r) {
    strides_[static_cast<size_t>(r)] = prefixes_;
    prefixes_ *= n;
  }
  cells_ = prefixes_ * n;
}

TupleSpace::TupleSpace(TupleOrbits orbits)
    : n_(orbits.nodes()),
      order_(orbits.order()),
      prefixes_(static_cast<int64_t>(orbits.prefixes().size())),
      cells_(orbits.count()),
      orbits_(std::move(orbits)) {
  targets_.reserve(static_cast<size_t>(prefixes_ * (order_ - 1) * n_));
  for (int64_t prefix = 0; prefix < prefixes_; ++prefix) {
    for (int role = 0; role < order_ - 1; ++role) orbits_->append_targets(prefix, role, targets_);
  }
}

TupleSpace::Cells TupleSpace::cells_of(int64_t prefix) const {
  if (!orbits_) return {prefix * n_, n_, nullptr, nullptr, 1};
  const TupleOrbits::Prefix& its = orbits_->prefixes()[static_cast<size_t>(prefix)];
  const PointGroup& group = orbits_->group(its);
  return {its.first_child, static_cast<int64_t>(group.representatives.size()),
          group.trivial() ? nullptr : group.representatives.data(), group.sizes.data(), its.size};
}

TupleSpace::Source TupleSpace::source(int64_t prefix, int role, int64_t pivot) const {
  if (!orbits_) {
    const int64_t stride = strides_[static_cast<size_t>(role)];
    const int64_t coordinate = prefix / stride % n_;
    return {prefix + (pivot - coordinate) * stride, nullptr};
  }
  const auto& target = targets_[static_cast<size_t>((prefix * (order_ - 1) + role) * n_ + pivot)];
  return {target.prefix, target.permutation == PermutationPool::kIdentity
                             ? nullptr
                             : orbits_->permutations().images(target.permutation)};
}

std::array<int64_t, kMaxOrder> TupleSpace::prefix_tuple(int64_t prefix) const {
  std::array<int64_t, kMaxOrder> tuple{};
  if (orbits_) {
    const std::vector<uint16_t> points = orbits_->prefix_tuple(prefix);
    for (size_t r = 0; r < points.size(); ++r) tuple[r] = points[r];
  } else {
    for (size_t r = 0; r + 1 < static_cast<size_t>(order_); ++r) {
      tuple[r] = prefix / strides_[r] % n_;
    }
  }
  return tuple;
}

void TupleSpace::fill_rows(const uint32_t* cell_colours, std::vector<uint32_t>& rows) const {
  if (!orbits_) return;
  rows.resize(static_cast<size_t>(prefixes_ * n_));
  uint32_t* row = rows.data();
  for (const TupleOrbits::Prefix& prefix : orbits_->prefixes()) {
    const uint16_t* orbit_of = orbits_->group(prefix).orbit_of.data();
    const uint32_t* colours = cell_colours + prefix.first_child;
    for (int64_t x = 0; x < n_; ++x) row[x] = colours[orbit_of[x]];
    row += n_;
  }
}

int64_t compressed_bytes(const TupleOrbits& orbits) {
  const int64_t n = orbits.nodes();
  const int64_t entries = static_cast<int64_t>(orbits.prefixes().size()) * n;
  const int64_t targets = entries * (orbits.order() - 1);
  // Targets may bring new permutations, as many as the group has members; vectors that grow are
  // there twice for a while.
  const double permutations =
      std::min(orbits.group_order(), static_cast<double>(targets)) *
      static_cast<double>(3 * n * int64_t{sizeof(uint16_t)} + PermutationPool::kMapEntryBytes);
  const int64_t products = std::min(targets * orbits.order(), PermutationPool::kMaxProducts) *
                           PermutationPool::kMapEntryBytes;
  return orbits.bytes() + static_cast<int64_t>(permutations) + products +
         targets * static_cast<int64_t>(sizeof(TupleOrbits::Target)) +
         entries * static_cast<int64_t>(sizeof(uint32_t)) + n * n * kBytesPerPair +
         orbits.count() * kBytesPerCell;
}

}  // namespace floydnet::wl
