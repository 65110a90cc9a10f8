// Graphs of a set as tensors that a model takes.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "floydnet/model.h"
#include "tasks/graphs/input_table.h"
#include "tasks/graphs/schema/schema.h"
#include "tasks/graphs/structure_config.h"

namespace floydnet::graphs {

/// The features of some graphs, and which pairs are to be predicted.
struct GraphInputs {
  GraphBatch batch;
  /// Of models of order 1, which pass messages along edges: both directions of undirected ones.
  torch::Tensor from, to;         // [edges] int64, rows of states
  torch::Tensor edge_categories;  // [edges, columns] int64
  torch::Tensor edge_reals;       // [edges, columns]
  /// Rows of batch.wanted_pairs: those of edges, of the same edges backwards if they have no
  /// direction, and those of pairs.
  int64_t wanted_edges = 0;
};

/// What all graphs of a set have in common, as a model sees it. May be used by several threads.
class InputBuilder {
 public:
  /// The set must outlive it, and have the schema's features.
  InputBuilder(const Schema& schema, const StructureConfig& structure, int64_t order,
               bool supernode, const GraphSet& set);

  /// Sets the columns that Init is given, and the outputs.
  static void configure(const Schema& schema, const StructureConfig& structure,
                        ModelConfig* config);

  /// With `all_pairs`, predictions are of all pairs, also where the set lists some.
  GraphInputs make(const std::vector<int64_t>& graphs, bool all_pairs = false) const;
  /// Rows of a column of this level that belong to a graph.
  int64_t first_row(Level level, int64_t graph) const;
  int64_t last_row(Level level, int64_t graph) const { return first_row(level, graph + 1); }

  const GraphSet& set() const { return set_; }

 private:
  struct Packing;
  void fill_rows(const Packing& packing, Level level, const std::vector<int64_t>& first,
                 torch::Tensor* categories, torch::Tensor* reals) const;
  void fill_structure(const Packing& packing, int64_t category_at, int64_t real_at,
                      InputTable<int64_t>& categories, InputTable<float>& reals) const;
  void fill_pairs(const Packing& packing, GraphBatch* batch) const;
  void fill_edges(const Packing& packing, GraphInputs* inputs) const;
  torch::Tensor wanted_pairs(const Packing& packing, bool listed, GraphInputs* inputs) const;

  Schema schema_;
  StructureConfig structure_;
  int64_t order_;
  bool supernode_;
  const GraphSet& set_;
  std::vector<int64_t> node_offsets_, pair_offsets_;
};

}  // namespace floydnet::graphs
