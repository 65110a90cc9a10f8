// Copies of a graph with their nodes renamed at random.
#pragma once

#include <functional>
#include <memory>

#include "tasks/brec/embed.h"

namespace floydnet::brec {

/// Uniform and the same with every standard library.
std::vector<Graph> relabelled_copies(const Graph& graph, int64_t count, uint64_t seed);

/// Takes graphs of the same number of nodes to [graphs, kEmbeddingWidth].
using EmbedGraphs = std::function<torch::Tensor(const std::vector<Graph>&, int64_t depth)>;

/// Embeds relabelled copies by `embed`.
std::unique_ptr<GraphCopies> embed_relabelled(const Graph& graph, double seconds_per_copy,
                                              EmbedGraphs embed);

}  // namespace floydnet::brec
