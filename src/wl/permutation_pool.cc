#include "wl/permutation_pool.h"

#include <algorithm>
#include <numeric>

#include "wl/mix.h"

namespace floydnet::wl {

PermutationPool::PermutationPool(int64_t n) : n_(static_cast<size_t>(n)) {
  for (size_t x = 0; x < n_; ++x) weights_.push_back(spread(x));
  Permutation identity(n_);
  std::iota(identity.begin(), identity.end(), uint16_t{0});
  intern(identity);
}

uint64_t PermutationPool::hash(const uint16_t* images) const {
  uint64_t sum = 0;
  for (size_t x = 0; x < n_; ++x) sum += weights_[x] * images[x];
  return spread(sum);
}

uint32_t PermutationPool::intern(const Permutation& permutation) {
  const uint64_t its_hash = hash(permutation.data());
  const auto [first, last] = by_hash_.equal_range(its_hash);
  for (auto found = first; found != last; ++found) {
    if (std::equal(permutation.begin(), permutation.end(), images(found->second))) {
      return found->second;
    }
  }
  images_.insert(images_.end(), permutation.begin(), permutation.end());
  by_hash_.emplace(its_hash, count_);
  return count_++;
}

uint32_t PermutationPool::compose(uint32_t after, uint32_t before) {
  if (after == kIdentity) return before;
  if (before == kIdentity) return after;
  if (static_cast<int64_t>(products_.size()) >= kMaxProducts) products_.clear();
  const auto [product, is_new] = products_.try_emplace(pack(after, before), kIdentity);
  if (is_new) {
    Permutation composed(n_);
    for (size_t x = 0; x < n_; ++x)
      composed[x] = image(after, image(before, static_cast<int64_t>(x)));
    product->second = intern(composed);
  }
  return product->second;
}

int64_t PermutationPool::bytes() const {
  return static_cast<int64_t>(images_.capacity() * sizeof(uint16_t)) +
         static_cast<int64_t>(by_hash_.size() + products_.size()) * kMapEntryBytes;
}

}  // namespace floydnet::wl
