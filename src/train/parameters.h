// A model's parameters in one piece of memory, so that norms, updates, averages and exchanges are
// single operations and not one for each of hundreds of small tensors.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>
#include <vector>

namespace floydnet::train {

class FlatParameters {
 public:
  struct Entry {
    std::string name;
    torch::Tensor parameter;
    int64_t offset;
  };

  /// The model's parameters, all of one type, become views of values(), and their gradients of
  /// gradients(). Matrices stand before vectors, and later ones before earlier ones: about the
  /// order in which gradients come.
  explicit FlatParameters(torch::nn::Module& model);

  const torch::Tensor& values() const { return values_; }
  const torch::Tensor& gradients() const { return gradients_; }
  const std::vector<Entry>& entries() const { return entries_; }
  /// How many of the values belong to matrices.
  int64_t matrix_values() const { return matrix_values_; }

  /// Views, by name, of a tensor that is laid out as values() is.
  std::map<std::string, torch::Tensor> named(const torch::Tensor& flat) const;

 private:
  torch::Tensor values_;
  torch::Tensor gradients_;
  std::vector<Entry> entries_;
  int64_t matrix_values_ = 0;
};

}  // namespace floydnet::train
