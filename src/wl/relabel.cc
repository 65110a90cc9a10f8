#include "wl/relabel.h"

#include <stdexcept>

namespace floydnet::wl {
namespace {

constexpr uint32_t kFree = 0xffffffff;

/// Open addressing. A slot holds the index of the first key of its colour, so that keys are not
/// stored twice. At most half of the slots are taken.
class KeyTable {
 public:
  explicit KeyTable(const std::vector<Key>& keys) : keys_(keys), slots_(1024, kFree) {}

  /// The index of the first key that equals keys[index]: `index` itself if it is new.
  uint32_t first_equal(uint32_t index) {
    size_t slot = find(slots_, index);
    if (slots_[slot] != kFree) return slots_[slot];
    if (2 * (taken_ + 1) > slots_.size()) {
      grow();
      slot = find(slots_, index);
    }
    slots_[slot] = index;
    ++taken_;
    return index;
  }

 private:
  size_t find(const std::vector<uint32_t>& slots, uint32_t index) const {
    const Key& key = keys_[index];
    const size_t mask = slots.size() - 1;
    size_t slot = key.low & mask;
    while (slots[slot] != kFree && !(keys_[slots[slot]] == key)) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<uint32_t> larger(2 * slots_.size(), kFree);
    for (const uint32_t index : slots_) {
      if (index != kFree) larger[find(larger, index)] = index;
    }
    slots_.swap(larger);
  }

  const std::vector<Key>& keys_;
  std::vector<uint32_t> slots_;
  size_t taken_ = 0;
};

}  // namespace

int64_t relabel(const std::vector<Key>& keys, std::vector<uint32_t>& colours) {
  if (static_cast<int64_t>(keys.size()) > kMaxKeys || colours.size() != keys.size()) {
    throw std::invalid_argument("relabel: the keys do not fit the colours");
  }
  KeyTable table(keys);
  uint32_t count = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t first = table.first_equal(static_cast<uint32_t>(i));
    colours[i] = first == i ? count++ : colours[first];
  }
  return count;
}

}  // namespace floydnet::wl
