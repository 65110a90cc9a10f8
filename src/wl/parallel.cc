#include "wl/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace floydnet::wl {

void parallel_for(int threads, int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end)>& work) {
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      for (int64_t begin = next.fetch_add(grain); begin < count; begin = next.fetch_add(grain)) {
        work(begin, std::min(begin + grain, count));
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  const int64_t parts = (count + grain - 1) / grain;
  std::vector<std::thread> others;
  for (int64_t i = 1; i < std::min<int64_t>(threads, parts); ++i) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace floydnet::wl
