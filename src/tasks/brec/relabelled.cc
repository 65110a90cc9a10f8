#include "tasks/brec/relabelled.h"

#include <torch/types.h>

#include <numeric>
#include <random>
#include <utility>

namespace floydnet::brec {
namespace {

// std::shuffle is not the same everywhere.
std::vector<int64_t> random_names(int64_t n, std::mt19937_64& random) {
  std::vector<int64_t> names(static_cast<size_t>(n));
  std::iota(names.begin(), names.end(), 0);
  for (size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random() % i]);
  return names;
}

class RelabelledCopies : public GraphCopies {
 public:
  RelabelledCopies(const Graph& graph, double seconds_per_copy, EmbedGraphs embed)
      : graph_(graph), seconds_(seconds_per_copy), embed_(std::move(embed)) {}

  torch::Tensor embed(int64_t count, uint64_t seed, int64_t depth) override {
    return embed_(relabelled_copies(graph_, count, seed), depth);
  }
  double seconds_per_copy() const override { return seconds_; }

 private:
  Graph graph_;
  double seconds_;
  EmbedGraphs embed_;
};

}  // namespace

std::vector<Graph> relabelled_copies(const Graph& graph, int64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Graph> copies;
  for (int64_t i = 0; i < count; ++i) {
    copies.push_back(graph.relabeled(random_names(graph.nodes(), random)));
  }
  return copies;
}

std::unique_ptr<GraphCopies> embed_relabelled(const Graph& graph, double seconds_per_copy,
                                              EmbedGraphs embed) {
  return std::make_unique<RelabelledCopies>(graph, seconds_per_copy, std::move(embed));
}

}  // namespace floydnet::brec
