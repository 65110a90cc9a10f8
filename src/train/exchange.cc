#include "train/exchange.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace floydnet::train {
namespace {

/// Long enough for the bandwidth, short enough that the first is sent early.
constexpr int64_t kBucketBytes = int64_t{1} << 20;

}  // namespace

/// Runs after a parameter's gradient has been added to its place.
class GradientExchange::Hook final : public torch::autograd::FunctionPostHook {
 public:
  Hook(GradientExchange& exchange, size_t bucket) : exchange_(exchange), bucket_(bucket) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    exchange_.arrived(bucket_);
    return outputs;
  }

 private:
  GradientExchange& exchange_;
  size_t bucket_;
};

GradientExchange::GradientExchange(const FlatParameters& parameters, World& world) : world_(world) {
  if (world.alone()) return;
  const auto& entries = parameters.entries();
  const torch::Tensor& gradients = parameters.gradients();
  int64_t begin = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (buckets_.empty() || (entries[i].offset - begin) * gradients.element_size() > kBucketBytes) {
      begin = entries[i].offset;
      buckets_.emplace_back();
    }
    const int64_t end = i + 1 < entries.size() ? entries[i + 1].offset : gradients.numel();
    buckets_.back().gradients = gradients.narrow(0, begin, end - begin);
    ++buckets_.back().parameters;
    accumulators_.push_back(torch::autograd::impl::grad_accumulator(entries[i].parameter));
    hooks_.push_back(
        accumulators_.back()->add_post_hook(std::make_unique<Hook>(*this, buckets_.size() - 1)));
  }
}

GradientExchange::~GradientExchange() {
  for (size_t i = 0; i < hooks_.size(); ++i) accumulators_[i]->del_post_hook(hooks_[i]);
}

void GradientExchange::arm() {
  armed_ = true;
  sent_ = 0;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
}

void GradientExchange::arrived(size_t bucket) {
  if (!armed_) return;
  --buckets_[bucket].missing;
  send_complete();
}

void GradientExchange::send_complete() {
  for (; sent_ < buckets_.size() && buckets_[sent_].missing <= 0; ++sent_) {
    buckets_[sent_].sum = world_.start_sum(buckets_[sent_].gradients);
  }
}

void GradientExchange::finish() {
  armed_ = false;
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  send_complete();
  for (Bucket& bucket : buckets_) bucket.sum->wait();
}

}  // namespace floydnet::train
