// Batches prepared by background threads, in the order of the steps.
#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "train/task.h"

namespace floydnet::train {

class Loader {
 public:
  /// Prepares, from `first_step` on, the given parts of every step; `ahead` batches at most wait to
  /// be fetched. The task must outlive the loader.
  Loader(const Task& task, std::vector<Part> parts, int64_t first_step, int64_t threads,
         int64_t ahead);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The next one: all parts of the first step, then those of the next. Throws what preparing it
  /// threw.
  std::shared_ptr<const Batch> next();
  /// Seconds that next() has waited so far.
  double waited() const { return waited_; }

 private:
  struct Ready {
    std::shared_ptr<const Batch> batch;
    std::exception_ptr error;
  };
  void work();

  const Task& task_;
  std::vector<Part> parts_;
  int64_t first_step_;
  int64_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, Ready> ready_;  // by place in the sequence
  int64_t claimed_ = 0;             // places that a thread has taken
  int64_t fetched_ = 0;             // places that next() has handed out
  bool stop_ = false;
  double waited_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace floydnet::train
