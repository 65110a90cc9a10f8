// Many molecules at once, on several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "floydnet/error.h"
#include "wl/parallel.h"

namespace floydnet::graphs {

/// How molecules are converted, and who watches.
struct Conversion {
  int threads = 1;
  std::atomic<int64_t>* total = nullptr;    // set to the number of molecules
  std::atomic<int64_t>* done = nullptr;     // counts them
  const std::atomic<bool>* stop = nullptr;  // once true, Stopped is thrown
};

struct Stopped {};

/// A value, or the reason why there is none.
template <typename T>
struct Outcome {
  T value;
  std::string refusal;
};

/// make(i) for each i in 0..count-1. InputError is kept as the refusal of i.
template <typename T>
std::vector<Outcome<T>> convert_all(int64_t count, const Conversion& how,
                                    const std::function<T(int64_t i)>& make) {
  constexpr int64_t kGrain = 64;
  if (how.total != nullptr) *how.total = count;
  std::vector<Outcome<T>> outcomes(static_cast<size_t>(count));
  wl::parallel_for(how.threads, count, kGrain, [&](int64_t begin, int64_t end) {
    if (how.stop != nullptr && *how.stop) throw Stopped{};
    for (int64_t i = begin; i < end; ++i) {
      Outcome<T>& outcome = outcomes[static_cast<size_t>(i)];
      try {
        outcome.value = make(i);
      } catch (const InputError& error) {
        outcome.refusal = error.what();
      }
    }
    if (how.done != nullptr) *how.done += end - begin;
  });
  return outcomes;
}

}  // namespace floydnet::graphs
