// A FloydNet on graphs of one's own, with features of nodes and edges; saved and loaded.
//
// Prints:
//   1 number of each of 2 graphs, 2 numbers of each of 25 pairs
//   renaming nodes renames the outputs
//   the loaded model says the same
#include <floydnet/model.h>
#include <torch/torch.h>

#include <cstdio>

namespace {

// Kinds of atoms, and bonds with a length.
floydnet::Graph molecule(const std::vector<int64_t>& kinds,
                         const std::vector<std::pair<floydnet::Graph::Edge, double>>& bonds) {
  floydnet::Graph graph(static_cast<int64_t>(kinds.size()));
  graph.node_features = floydnet::FeatureTable(graph.nodes(), /*category_columns=*/1, 0);
  for (int64_t i = 0; i < graph.nodes(); ++i) graph.node_features.category(i, 0) = kinds[i];
  graph.edge_features =
      floydnet::FeatureTable(static_cast<int64_t>(bonds.size()), 0, /*real_columns=*/1);
  for (const auto& [edge, length] : bonds) {
    graph.edge_features.real(graph.add_edge(edge.first, edge.second), 0) = length;
  }
  return graph;
}

}  // namespace

int main(int, char** argv) {
  torch::manual_seed(1);
  torch::NoGradGuard no_grad;
  const floydnet::Graph water = molecule({1, 0, 0}, {{{0, 1}, 0.96}, {{0, 2}, 0.96}});
  const floydnet::Graph chain =
      molecule({2, 0, 2, 1}, {{{0, 1}, 1.1}, {{1, 2}, 1.3}, {{2, 3}, 1.5}});

  floydnet::ModelConfig config;
  config.dim = 32;
  config.depth = 2;
  config.zero_residual = false;  // so that an untrained model is not constant
  config.node_categories = {3};  // one column with three kinds
  config.pair_reals = 1;         // the length; 0 where there is no bond
  config.graph_outputs = 1;
  config.pair_outputs = 2;
  floydnet::FloydNet model(config);
  model->eval();

  const floydnet::Predictions out = model->forward(floydnet::make_batch({water, chain}));
  std::printf("%ld number of each of %ld graphs, %ld numbers of each of %ld pairs\n",
              long(out.graph.size(1)), long(out.graph.size(0)), long(out.pair.size(1)),
              long(out.pair.size(0)));

  // Node v of the chain becomes names[v].
  const std::vector<int64_t> names = {2, 0, 3, 1};
  const floydnet::Predictions renamed =
      model->forward(floydnet::make_batch({chain.relabeled(names)}));
  const torch::Tensor order = torch::tensor(names);
  const torch::Tensor pairs =
      renamed.pair.view({4, 4, 2}).index_select(0, order).index_select(1, order);
  const bool same = torch::allclose(pairs.reshape({16, 2}), out.pair.narrow(0, 9, 16), 1e-4, 1e-5);
  std::puts(same ? "renaming nodes renames the outputs" : "outputs depend on names");

  const std::string path = std::string(argv[0]) + ".safetensors";
  floydnet::save_model(model, path);
  floydnet::FloydNet loaded = floydnet::load_model(path);
  loaded->eval();
  const bool equal =
      torch::equal(loaded->forward(floydnet::make_batch({water, chain})).graph, out.graph);
  std::remove(path.c_str());
  std::puts(equal ? "the loaded model says the same" : "the loaded model differs");
  return same && equal ? 0 : 1;
}
