// Memory that a thread keeps from call to call, so that no call faults pages in anew.
#pragma once

#include <cstddef>

namespace floydnet::kernels {

/// At least so many bytes, aligned to whole lines of the cache, the calling thread's own until its
/// next call. Their contents are arbitrary. Throws std::bad_alloc.
void* thread_workspace(size_t bytes);

}  // namespace floydnet::kernels
