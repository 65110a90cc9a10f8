// Work that is cut into parts and handed to threads as they become free.
#pragma once

#include <cstdint>
#include <functional>

namespace floydnet::wl {

/// Calls work(begin, end) for parts of 0..count-1 of `grain` each, on so many threads, of which the
/// caller's is one. An exception of any part ends the rest and is thrown on.
void parallel_for(int threads, int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace floydnet::wl
