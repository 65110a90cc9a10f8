/// \file
/// Memory of large tensors, reused from step to step.
#pragma once

#include <cstdint>

#include "floydnet/export.h"

namespace floydnet {

/// From now on tensors of a megabyte and more take their memory from a store of this process, on
/// huge pages where the system has them, and give it back there: a training step finds the memory
/// of the step before, and neither faults pages in anew nor misses the page tables as often. At
/// most `max_idle_bytes` are kept without use. For programs to call at their start; calling it
/// again only sets the limit. Tensors that exist already are not affected.
FLOYDNET_EXPORT void reuse_tensor_memory(int64_t max_idle_bytes = int64_t{4} << 30);

/// From now on tensors take their memory from malloc again, as libtorch does by itself.
FLOYDNET_EXPORT void stop_reusing_tensor_memory();

/// Gives what is kept without use back to the system: before something that takes much more memory
/// than what came before it, whose tensors would not fit.
FLOYDNET_EXPORT void release_idle_tensor_memory();

/// Bytes that are kept without use at the moment.
FLOYDNET_EXPORT int64_t idle_tensor_memory();

}  // namespace floydnet
