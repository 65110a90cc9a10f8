#include "kernels/workspace.h"

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace floydnet::kernels {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

}  // namespace

void* thread_workspace(size_t bytes) {
  // Rows of a tile's arrays are many pages apart: on small pages their addresses take long to find.
  constexpr size_t kHugePage = size_t{2} << 20;
  thread_local std::unique_ptr<void, Free> memory;
  thread_local size_t size = 0;
  if (size < bytes) {
    memory.reset();
    size = 0;
    const bool is_large = bytes >= kHugePage / 2;
    const size_t alignment = is_large ? kHugePage : 64;
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    memory.reset(std::aligned_alloc(alignment, rounded));
    if (!memory) throw std::bad_alloc();
    if (is_large) madvise(memory.get(), rounded, MADV_HUGEPAGE);  // fails where there are none
    size = rounded;
  }
  return memory.get();
}

}  // namespace floydnet::kernels
