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

/// Of FloydNet.
enum class Evaluation {
  kAuto,        // one tuple an orbit of the automorphism group, or all where there are few more
  kDense,       // all tuples of each relabelled copy, by the library's own blocks
  kCompressed,  // one tuple an orbit
};

const char* name_of(Evaluation evaluation);

struct EmbedOptions {
  ModelKind model = ModelKind::kFloydNet;
  int64_t order = 2;  // of FloydNet
  int64_t dim = 8, heads = 2, depth = 12;
  double sharpness = 10;  // of the softmax, as a multiple of 1/sqrt(d_h)
  bool residual = true;
  int64_t node_reals = 0;  // columns of node features
  uint64_t seed = 1;       // of the weights
  Evaluation evaluation = Evaluation::kAuto;
  int threads = 1;
  int64_t max_bytes = int64_t{4} << 30;     // for a pair
  int64_t chunk_bytes = int64_t{64} << 20;  // of copies that are evaluated together
};

/// Sets dim, heads, depth and sharpness to what serves for the model and its order.
void set_defaults(EmbedOptions& options);
/// The k of the k-FWL that bounds the model.
int64_t bounding_order(const EmbedOptions& options);

/// A graph, ready to be embedded.
class GraphCopies {
 public:
  virtual ~GraphCopies() = default;
  /// [count, kEmbeddingWidth] float64, by the first `depth` blocks: copies that differ in what must
  /// not matter, the names of nodes, and so in how the embedding rounds.
  virtual torch::Tensor embed(int64_t count, uint64_t seed, int64_t depth) = 0;
  /// Roughly what one copy takes with all blocks.
  virtual double seconds_per_copy() const = 0;
};

class Embedder {
 public:
  virtual ~Embedder() = default;
  /// Throws InputError if there is not enough memory. Must not be used after the embedder's end.
  virtual std::unique_ptr<GraphCopies> prepare(const Graph& graph) = 0;
};

std::unique_ptr<Embedder> make_embedder(const EmbedOptions& options);

}  // namespace floydnet::brec
