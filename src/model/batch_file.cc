#include "model/batch_file.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <numeric>

#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

using torch::Tensor;

constexpr int64_t kMaxNodes = 100'000;

template <typename T>
Tensor columns_of(const NpyArray& array) {
  std::vector<int64_t> shape = array.shape;
  if (shape.size() == 1) shape.push_back(1);
  return torch::tensor(array.as<T>()).view(shape);
}

std::vector<int64_t> sizes_in(const NpyArray& array, const std::string& path) {
  std::vector<int64_t> sizes = array.as<int64_t>();
  for (const int64_t size : sizes) {
    if (size < 1 || size > kMaxNodes) {
      throw InputError::in(path, fmt::format("\"sizes\" has {}, wanted 1 to {}", size, kMaxNodes));
    }
  }
  if (sizes.empty()) throw InputError::in(path, "no graphs");
  return sizes;
}

/// Sets what an array of that name stands for; false if there is no such name.
bool set_field(GraphBatch* batch, const std::string& name, const NpyArray& array,
               const ModelConfig& config) {
  const auto reals = [&array] { return columns_of<double>(array).to(torch::kFloat32); };
  const auto categories = [&array] { return columns_of<int64_t>(array); };
  if (name == "node_categories") return batch->node_categories = categories(), true;
  if (name == "pair_categories") return batch->pair_categories = categories(), true;
  if (name == "graph_categories") return batch->graph_categories = categories(), true;
  if (name == "node_reals") return batch->node_reals = reals(), true;
  if (name == "pair_reals") return batch->pair_reals = reals(), true;
  if (name == "graph_reals") return batch->graph_reals = reals(), true;
  if (name == "adjacency") return batch->adjacency = categories().flatten(), true;
  if (name != "alpha_bar") return false;
  batch->graph_reals = diffusion_time_embedding(reals().flatten(), config.dim);
  return true;
}

/// Rows of each graph, one after the other, for graphs of these sizes.
int64_t rows_of(const std::vector<int64_t>& sizes, int64_t first, int64_t last, int64_t order) {
  return std::accumulate(sizes.begin() + first, sizes.begin() + last, int64_t{0},
                         [order](int64_t sum, int64_t n) {
                           return sum + (order == 0 ? 1 : order == 1 ? n : n * n);
                         });
}

void require_rows(const Tensor& tensor, int64_t rows, const char* name, const std::string& path) {
  if (!tensor.defined() || tensor.size(0) == rows) return;
  throw InputError::in(
      path, fmt::format("\"{}\" has {} rows, wanted {} by \"sizes\"", name, tensor.size(0), rows));
}

GraphBatch read_npz_batch(const std::string& path, const ModelConfig& config) {
  const std::vector<std::string> names = {
      "sizes",      "node_categories",  "node_reals",  "adjacency", "pair_categories",
      "pair_reals", "graph_categories", "graph_reals", "alpha_bar"};
  const NpzArchive archive = read_npz(path);
  if (archive.count("sizes") == 0) throw InputError::in(path, "has no array \"sizes\"");
  GraphBatch batch;
  batch.sizes = sizes_in(archive.at("sizes"), path);
  for (const auto& [name, array] : archive) {
    try {
      if (name == "sizes" || set_field(&batch, name, array, config)) continue;
    } catch (const std::exception& error) {
      throw InputError::in(path, fmt::format("\"{}\": {}", name, error.what()));
    }
    throw InputError::in(
        path, fmt::format("unknown array {}{}", in_quotes(name), suggestion(name, names)));
  }
  const auto graphs = static_cast<int64_t>(batch.sizes.size());
  const auto rows = [&](int64_t order) { return rows_of(batch.sizes, 0, graphs, order); };
  require_rows(batch.node_categories, rows(1), "node_categories", path);
  require_rows(batch.node_reals, rows(1), "node_reals", path);
  require_rows(batch.adjacency, rows(2), "adjacency", path);
  require_rows(batch.pair_categories, rows(2), "pair_categories", path);
  require_rows(batch.pair_reals, rows(2), "pair_reals", path);
  require_rows(batch.graph_categories, graphs, "graph_categories", path);
  require_rows(batch.graph_reals, graphs, "graph_reals or alpha_bar", path);
  return batch;
}

NpyArray array_of(const Tensor& tensor) {
  const Tensor whole = tensor.to(torch::kFloat32).contiguous();
  const auto* begin = whole.data_ptr<float>();
  return NpyArray::from(std::vector<float>(begin, begin + whole.numel()), whole.sizes().vec());
}

}  // namespace

GraphBatch read_batch(const std::string& path, const ModelConfig& config) {
  constexpr std::string_view kNpz = ".npz";
  const bool is_npz = path.size() >= kNpz.size() &&
                      std::string_view(path).substr(path.size() - kNpz.size()) == kNpz;
  if (is_npz) return read_npz_batch(path, config);
  const std::vector<Graph> graphs = read_graphs(path);
  if (graphs.empty()) throw InputError::in(path, "no graphs");
  return make_batch(graphs);
}

GraphBatch graphs_of(const GraphBatch& batch, int64_t first, int64_t last) {
  const auto cut = [&](const Tensor& tensor, int64_t order) {
    if (!tensor.defined()) return Tensor();
    return tensor.narrow(0, rows_of(batch.sizes, 0, first, order),
                         rows_of(batch.sizes, first, last, order));
  };
  GraphBatch part;
  part.sizes.assign(batch.sizes.begin() + first, batch.sizes.begin() + last);
  part.node_categories = cut(batch.node_categories, 1);
  part.node_reals = cut(batch.node_reals, 1);
  part.adjacency = cut(batch.adjacency, 2);
  part.pair_categories = cut(batch.pair_categories, 2);
  part.pair_reals = cut(batch.pair_reals, 2);
  part.graph_categories = cut(batch.graph_categories, 0);
  part.graph_reals = cut(batch.graph_reals, 0);
  return part;
}

void write_predictions(const std::string& path, const std::vector<int64_t>& sizes,
                       const Predictions& predictions) {
  NpzArchive archive;
  archive["sizes"] = NpyArray::from(sizes, {static_cast<int64_t>(sizes.size())});
  if (predictions.graph.defined()) archive["graph"] = array_of(predictions.graph);
  if (predictions.node.defined()) archive["node"] = array_of(predictions.node);
  if (predictions.pair.defined()) archive["pair"] = array_of(predictions.pair);
  write_npz(path, archive);
}

}  // namespace floydnet
