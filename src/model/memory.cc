#include "floydnet/memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <sys/mman.h>
#include <torch/version.h>

#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>

namespace floydnet {
namespace {

constexpr size_t kSmallest = size_t{1} << 20;  // smaller ones are left to malloc
constexpr size_t kHugePage = size_t{2} << 20;

size_t round_up(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// One of four sizes between a power of two and the next, so that tensors whose sizes differ a
/// little from step to step, as batches of graphs do, can take each other's places.
size_t size_class(size_t bytes) {
  size_t power = kSmallest;
  while (2 * power < bytes) power *= 2;
  return round_up(bytes, power / 4);
}

/// Fresh memory that begins at a huge page.
void* map_pages(size_t bytes) {
  const size_t mapped = bytes + kHugePage;
  void* whole = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (whole == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<char*>(whole);
  const size_t before =
      round_up(reinterpret_cast<size_t>(whole), kHugePage) - reinterpret_cast<size_t>(whole);
  char* const memory = first + before;
  if (before > 0) munmap(first, before);
  if (before < kHugePage) munmap(memory + bytes, kHugePage - before);
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; without it pages are merely small
  return memory;
}

class Store {
 public:
  void* take(size_t bytes) {
    const size_t size = size_class(bytes);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      // Up to a half larger than wanted will do. Of one size the last that was given back, which
      // the cache is likeliest to hold.
      auto found = idle_.lower_bound(size);
      if (found != idle_.end() && found->first <= size + size / 2) {
        found = std::prev(idle_.upper_bound(found->first));
        void* memory = found->second;
        idle_bytes_ -= found->first;
        idle_.erase(found);
        return memory;
      }
    }
    void* memory = map_pages(size);
    const std::lock_guard<std::mutex> lock(mutex_);
    sizes_[memory] = size;
    return memory;
  }

  /// Returns false if the memory is not from here.
  bool give_back(void* memory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) return false;
    idle_.emplace(found->second, memory);
    idle_bytes_ += found->second;
    while (idle_bytes_ > max_idle_bytes_ && !idle_.empty()) release_largest();
    return true;
  }

  void set_limit(size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    max_idle_bytes_ = bytes;
    while (idle_bytes_ > max_idle_bytes_ && !idle_.empty()) release_largest();
  }

  void release_idle() {
    const std::lock_guard<std::mutex> lock(mutex_);
    while (!idle_.empty()) release_largest();
  }

  size_t idle_bytes() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return idle_bytes_;
  }

 private:
  void release_largest() {
    const auto largest = std::prev(idle_.end());
    munmap(largest->second, largest->first);
    sizes_.erase(largest->second);
    idle_bytes_ -= largest->first;
    idle_.erase(largest);
  }

  std::mutex mutex_;
  std::multimap<size_t, void*> idle_;
  std::unordered_map<void*, size_t> sizes_;  // of all memory of this store
  size_t idle_bytes_ = 0, max_idle_bytes_ = 0;
};

/// Never destroyed: tensors may outlive everything else.
Store& store() {
  static Store* const the_store = new Store;
  return *the_store;
}

/// For memory from the store and from malloc.
void release(void* memory) {
  if (!store().give_back(memory)) c10::free_cpu(memory);
}

#define FLOYDNET_TORCH_VERSION (100 * TORCH_VERSION_MAJOR + TORCH_VERSION_MINOR)
#if FLOYDNET_TORCH_VERSION >= 203
#define FLOYDNET_CONST_ALLOCATE
#else
#define FLOYDNET_CONST_ALLOCATE const
#endif

class StoreAllocator : public at::Allocator {
 public:
  at::DataPtr allocate(size_t bytes) FLOYDNET_CONST_ALLOCATE override {
    if (bytes < kSmallest) {
      void* memory = c10::alloc_cpu(bytes);
      return {memory, memory, &c10::free_cpu, at::Device(at::DeviceType::CPU)};
    }
    void* memory = store().take(bytes);
    return {memory, memory, &release, at::Device(at::DeviceType::CPU)};
  }

  at::DeleterFnPtr raw_deleter() const override { return &release; }
#if FLOYDNET_TORCH_VERSION >= 201
  void copy_data(void* to, const void* from, size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
#endif
};

}  // namespace

void reuse_tensor_memory(int64_t max_idle_bytes) {
  store().set_limit(static_cast<size_t>(max_idle_bytes));
  static StoreAllocator* const allocator = new StoreAllocator;
  c10::SetCPUAllocator(allocator, /*priority=*/1);
}

void stop_reusing_tensor_memory() {
  store().set_limit(0);
  c10::SetCPUAllocator(c10::GetDefaultCPUAllocator(), /*priority=*/1);
}

void release_idle_tensor_memory() { store().release_idle(); }

int64_t idle_tensor_memory() { return static_cast<int64_t>(store().idle_bytes()); }

}  // namespace floydnet
