#include "train/parameters.h"

#include <algorithm>

namespace floydnet::train {
namespace {

/// Every parameter starts at a multiple of a cache line.
constexpr int64_t kAlignment = 16;

int64_t aligned(int64_t elements) { return (elements + kAlignment - 1) / kAlignment * kAlignment; }

torch::Tensor view_of(const torch::Tensor& flat, const FlatParameters::Entry& entry) {
  return flat.narrow(0, entry.offset, entry.parameter.numel()).view(entry.parameter.sizes());
}

}  // namespace

FlatParameters::FlatParameters(torch::nn::Module& model) {
  torch::NoGradGuard no_grad;
  for (const auto& item : model.named_parameters()) {
    entries_.push_back({item.key(), item.value(), 0});
  }
  TORCH_CHECK(!entries_.empty(), "a model without parameters cannot be trained");
  std::reverse(entries_.begin(), entries_.end());
  const auto vectors =
      std::stable_partition(entries_.begin(), entries_.end(),
                            [](const Entry& entry) { return entry.parameter.dim() >= 2; });
  int64_t total = 0;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry == vectors) matrix_values_ = total;
    entry->offset = total;
    total += aligned(entry->parameter.numel());
  }
  if (vectors == entries_.end()) matrix_values_ = total;
  const auto options = entries_[0].parameter.options().requires_grad(false);
  values_ = torch::zeros({total}, options);
  gradients_ = torch::zeros({total}, options);
  for (Entry& entry : entries_) {
    const torch::Tensor view = view_of(values_, entry);
    view.copy_(entry.parameter);
    entry.parameter.set_data(view);
    entry.parameter.mutable_grad() = view_of(gradients_, entry);
  }
}

std::map<std::string, torch::Tensor> FlatParameters::named(const torch::Tensor& flat) const {
  std::map<std::string, torch::Tensor> views;
  for (const Entry& entry : entries_) views[entry.name] = view_of(flat, entry);
  return views;
}

}  // namespace floydnet::train
