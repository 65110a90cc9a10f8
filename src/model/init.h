// Init: the first tuple states, from what is known about each tuple.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>

#include <memory>
#include <vector>

#include "floydnet/model.h"
#include "model/gather.h"
#include "model/mlp.h"
#include "model/tuple_index.h"

namespace floydnet {

/// One linear map of a feature row: an embedding for each categorical column, a matrix for the real
/// ones. The sum over such maps is the first layer of an MLP on the concatenation of one-hot and
/// real inputs, without ever making those.
class FeatureMapImpl : public torch::nn::Module {
 public:
  FeatureMapImpl(const std::vector<int64_t>& categories, int64_t reals, int64_t dim);

  /// [rows, dim]; `what` names the features in error messages.
  torch::Tensor forward(const torch::Tensor& categories, const torch::Tensor& reals, int64_t rows,
                        const char* what);
  /// Of rows `chosen` out of `rows`, where that number itself stands for zeros; undefined: all. The
  /// categorical columns are appended to `lookups`, and what the real ones give too, unless they
  /// are all chosen: then they are the result, undefined if there are none.
  torch::Tensor add_lookups(const torch::Tensor& categories, const torch::Tensor& reals,
                            int64_t rows, const torch::Tensor& chosen, const char* what,
                            std::vector<Lookup>* lookups);

 private:
  std::vector<torch::nn::Embedding> embeddings_;
  torch::nn::Linear linear_{nullptr};
};

/// An MLP of the node features at each coordinate, the pair features between coordinates, equality
/// indicators, the SuperNode's place, and the graph feature.
class InitImpl : public torch::nn::Module {
 public:
  explicit InitImpl(const ModelConfig& config);

  torch::Tensor forward(const GraphBatch& batch, const TupleIndex& index);

 private:
  void add_nodes(const GraphBatch& batch, const TupleIndex& index, std::vector<Lookup>* lookups);
  torch::Tensor pair_categories(const GraphBatch& batch, int64_t pairs) const;
  torch::Tensor add_pairs(const GraphBatch& batch, const TupleIndex& index,
                          std::vector<Lookup>* lookups);
  void add_equalities(const TupleIndex& index, std::vector<Lookup>* lookups);

  struct PairMap {
    int a, b;
    std::shared_ptr<FeatureMapImpl> map;
  };

  ModelConfig config_;
  std::vector<std::shared_ptr<FeatureMapImpl>> nodes_;  // by coordinate
  std::vector<PairMap> pairs_;
  std::shared_ptr<FeatureMapImpl> graph_;
  torch::Tensor equality_, supernode_, bias_;
  std::shared_ptr<MlpImpl> mlp_;  // after the first layer; null if that is all
};

}  // namespace floydnet
