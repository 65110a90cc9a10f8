#include "train/loader.h"

#include <ATen/Parallel.h>
#include <omp.h>

#include <chrono>

#include "base/stopwatch.h"

namespace floydnet::train {

Loader::Loader(const Task& task, std::vector<Part> parts, int64_t first_step, int64_t threads,
               int64_t ahead)
    : task_(task), parts_(std::move(parts)), first_step_(first_step), ahead_(ahead) {
  for (int64_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Loader::~Loader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Loader::work() {
  // Its tensor operations must not start a team of threads beside the one that computes.
  // libtorch's own setting is the whole process's; once it has been applied to this thread,
  // OpenMP's is this thread's alone.
  at::get_num_threads();
  omp_set_num_threads(1);
  const auto parts = static_cast<int64_t>(parts_.size());
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || claimed_ < fetched_ + ahead_; });
    if (stop_) return;
    const int64_t place = claimed_++;
    lock.unlock();
    Ready ready;
    try {
      ready.batch =
          task_.batch(first_step_ + place / parts, parts_[static_cast<size_t>(place % parts)]);
    } catch (...) {
      ready.error = std::current_exception();
    }
    lock.lock();
    ready_[place] = std::move(ready);
    changed_.notify_all();
  }
}

std::shared_ptr<const Batch> Loader::next() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_.count(fetched_) > 0; });
  const Ready ready = std::move(ready_.extract(fetched_).mapped());
  ++fetched_;
  lock.unlock();
  changed_.notify_all();
  waited_ += seconds_since(start);
  if (ready.error) std::rethrow_exception(ready.error);
  return ready.batch;
}

}  // namespace floydnet::train
