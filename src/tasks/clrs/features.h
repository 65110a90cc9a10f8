// From a batch of samples to the features of its pairs of nodes.
#pragma once

#include <torch/types.h>

#include <vector>

#include "tasks/clrs/data/sample.h"

namespace floydnet::clrs {

/// A Batch as tensors, in the order of the spec: inputs and outputs [samples, ...], hints
/// [snapshots, samples, ...]. Pointers are int64, all else is float32; hints that were not recorded
/// are undefined.
struct BatchTensors {
  int64_t samples = 0;
  int64_t nodes = 0;
  int64_t steps = 0;           // of the longest sample
  torch::Tensor sample_steps;  // [samples] int64
  std::vector<torch::Tensor> values;
  /// [samples], 1 where outputs count: those after a trajectory's last step. Undefined: all do.
  torch::Tensor ends;
};

BatchTensors to_tensors(const Spec& spec, const Batch& batch);

/// Indices as one-hot rows over `nodes`, float32; all else as it is.
torch::Tensor with_one_hot_pointers(const Probe& probe, const torch::Tensor& values, int64_t nodes);

/// Which features there are beside the probes themselves.
struct FeatureRule {
  std::vector<int64_t> sharpness = {};  // of comparisons; none: numbers are not compared
  bool supernode = false;
  bool marked_pointers = false;
  bool chain_depths = false;
  bool equal_categories = false;
  bool relative_counts = false;
  bool running_sums = false;
};

/// What is known of a pair (i, j) when the states are made: X_i, X_j, E_ij, E_ji, G, how the
/// numbers of i, of j and of the graph compare, whether i = j, and whether i or j is the SuperNode.
///
/// Probes enter where they belong: pointers of nodes are features of the pair (from, to), and a
/// pointer of the pair (i, j) to k gives the pairs (j, k) and (i, k) the part of the nodes that
/// point there, as in the benchmark's encoders. Any two numbers x of i and y of j are compared as
/// tanh(c (x - y)) for each sharpness c.
///
/// With relative_counts, what nodes count is divided by their number, as attention, which takes
/// means, counts.
///
/// With equal_categories, a pair knows of each kind of category of nodes whether i's is j's.
///
/// With running_sums, a pair knows, of each number that nodes are given, tanh(c s) of the sum s
/// over the nodes from i to j in the order of their positions, both included. If j stands before i,
/// s is the sum of those between them with the other sign.
///
/// Two rules spare the blocks a step of their own. With marked_pointers a node knows, of each
/// pointer and each mark (a mask of one node), whether it points to the marked node and whether the
/// marked node points to it. With chain_depths it has one more number for each pointer that is an
/// input: the pointers from it to a node that points to itself, an eighth each.
class PairFeatures {
 public:
  PairFeatures(std::vector<Probe> probes, FeatureRule rule);

  int64_t columns() const;
  /// given: [samples, ...] of each probe, pointers as rows over the nodes (one-hot or soft).
  /// Gives [samples, m, m, columns], where m counts the SuperNode, which is last.
  torch::Tensor operator()(const std::vector<torch::Tensor>& given, int64_t samples,
                           int64_t nodes) const;

 private:
  bool has_depth(const Probe& probe) const;
  bool has_sums(const Probe& probe) const;
  /// [samples, n, columns], or nothing.
  std::vector<torch::Tensor> marked_pointer_columns(const std::vector<torch::Tensor>& values) const;

  /// [samples, n, n, columns]
  torch::Tensor sum_columns(const std::vector<torch::Tensor>& values) const;

  std::vector<Probe> probes_;
  FeatureRule rule_;
  int64_t node_columns_ = 0, edge_columns_ = 0, graph_columns_ = 0, numbers_ = 0, equalities_ = 0,
          summed_ = 0;
};

}  // namespace floydnet::clrs
