// Gradients added up over all ranks while backward still computes others.
#pragma once

#include <torch/csrc/autograd/variable.h>

#include <memory>
#include <vector>

#include "train/parameters.h"
#include "train/world.h"

namespace floydnet::train {

class GradientExchange {
 public:
  /// Both must outlive this. In a world of one nothing is done.
  GradientExchange(const FlatParameters& parameters, World& world);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Before the last backward of a step: from now on each bucket is sent when it is complete.
  void arm();
  /// After it: sends what has no gradient in this step, and waits for all.
  void finish();

 private:
  /// Consecutive parameters that are sent together.
  struct Bucket {
    torch::Tensor gradients;
    int64_t parameters = 0;
    int64_t missing = 0;
    std::unique_ptr<World::Pending> sum;
  };
  class Hook;

  void arrived(size_t bucket);
  void send_complete();

  World& world_;
  std::vector<Bucket> buckets_;
  size_t sent_ = 0;  // buckets are sent in their order, or ranks would add up different ones
  bool armed_ = false;
  /// The kind of pointer depends on libtorch's version.
  std::vector<decltype(torch::autograd::impl::grad_accumulator(torch::autograd::Variable()))>
      accumulators_;
  std::vector<uintptr_t> hooks_;
};

}  // namespace floydnet::train
