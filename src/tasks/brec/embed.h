// Embeddings of graphs by networks with random, frozen weights, in double precision.
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::brec {

enum class ModelKind {
  kFloydNet,
  kSelfAttention,  // of nodes, the logits of neighbours raised by a constant: k = 1
  kGin,            // sums over neighbours
};

enum class Evaluation {
  kAuto,        // the cheaper one by predicted cost
  kDense,       // all tuples
  kCompressed,  // one tuple an orbit of the automorphism group
};

const char* name_of(Evaluation evaluation);

struct EmbedOptions {
  ModelKind model = ModelKind::kFloydNet;
  int64_t order = 2;  // of FloydNet
  int64_t dim = 8, heads = 2, depth = 8;
  double sharpness = 30;  // of the softmax, as a multiple of 1/sqrt(d_h)
  bool residual = true;
  int64_t node_reals = 0;                      // columns of node features
  uint64_t seed = 1;                           // of the weights
  Evaluation evaluation = Evaluation::kDense;  // of FloydNet
  int threads = 1;                             // of compressed evaluation
  int64_t chunk_bytes = int64_t{64} << 20;
};

/// Sets dim, heads, depth and sharpness to what serves for the model and its order.
void set_defaults(EmbedOptions& options);
/// The k of the k-FWL that bounds the model.
int64_t bounding_order(const EmbedOptions& options);

class Embedder {
 public:
  virtual ~Embedder() = default;
  /// [graphs, kEmbeddingWidth] float64, for graphs that all have the same number of nodes.
  virtual torch::Tensor embed(const std::vector<Graph>& graphs) = 0;
  /// The relative error of embeddings of this graph that is the same in all its copies, 0 if
  /// relabeling shows all of it.
  virtual double resolution(const Graph& /*graph*/) const { return 0; }
};

std::unique_ptr<Embedder> make_embedder(const EmbedOptions& options);

}  // namespace floydnet::brec
