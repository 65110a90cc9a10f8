// From pair states to predictions of probes.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <vector>

#include "tasks/clrs/config.h"
#include "tasks/clrs/data/spec.h"

namespace floydnet::clrs {

/// Predicts probes from the states of all pairs. Predictions are logits (of scalars: values):
///
///   graph         [samples], categorical [samples, classes]
///   node          [samples, n], categorical [samples, n, classes]
///   edge          [samples, n, n], categorical [samples, n, n, classes]
///   node pointer  [samples, n, n]; permutations: log-probabilities by Sinkhorn
///   edge pointer  [samples, n, n, n]
///
/// A node's pointer to j is read from R_ij and R_ji. A pair's pointer to k is scored as Pivotal
/// Attention scores pivots, <W_Q R_ij, W_L R_ik + W_R R_kj>.
class DecoderImpl : public torch::nn::Module {
 public:
  DecoderImpl(std::vector<Probe> probes, int64_t dim, NodeReadout readout);

  /// states: [samples, m, m, dim], where m is `nodes` or one more.
  std::vector<torch::Tensor> forward(const torch::Tensor& states, int64_t nodes);

 private:
  struct EdgePointer {
    torch::nn::Linear query, left, right;
  };

  torch::Tensor node_states(const torch::Tensor& states, int64_t nodes) const;
  torch::Tensor graph_states(const torch::Tensor& states, int64_t nodes) const;
  torch::Tensor edge_pointer(EdgePointer& maps, const torch::Tensor& states, int64_t nodes);

  std::vector<Probe> probes_;
  std::vector<int64_t> first_column_;  // of a probe among those read from the same states
  NodeReadout readout_;
  torch::nn::Linear node_{nullptr}, pair_{nullptr}, graph_{nullptr};
  std::vector<EdgePointer> edge_pointers_;
};
TORCH_MODULE(Decoder);

/// Alternating log-softmax of columns and rows of logits / temperature, [..., n, n], whose diagonal
/// is suppressed. `noise` adds Gumbel noise first.
torch::Tensor log_sinkhorn(const torch::Tensor& logits, int64_t iterations, double temperature,
                           bool noise);

/// What a predicted hint is fed back as: probabilities, and scalars as they are. Pointers are rows
/// over the nodes.
torch::Tensor soft_prediction(const Probe& probe, const torch::Tensor& logits);
/// What a prediction says: masks 0 or 1, one-hot classes, pointers as indices.
torch::Tensor hard_prediction(const Probe& probe, const torch::Tensor& logits);

}  // namespace floydnet::clrs
