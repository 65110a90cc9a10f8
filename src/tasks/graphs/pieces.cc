#include "tasks/graphs/pieces.h"

#include <torch/torch.h>

#include <limits>

#include "tasks/graphs/batches/order.h"

namespace floydnet::graphs {

using torch::Tensor;

GraphInputs piece_inputs(const GraphsConfig& config, const InputBuilder& builder,
                         const std::vector<int64_t>& graphs, bool all_pairs) {
  GraphInputs inputs = builder.make(graphs, all_pairs);
  double tuples = 0;
  for (const int64_t n : inputs.batch.sizes) tuples += tuples_of(n, config.model.order);
  inputs.batch.recompute =
      tuples > static_cast<double>(config.data.tuples) && config.model.norm != NormKind::kBatch;
  return inputs;
}

std::vector<std::vector<int64_t>> pieces_of(const GraphsConfig& config, const GraphSet& set,
                                            const std::vector<int64_t>& graphs) {
  return cut_to_pieces(graphs, set.sizes, config.model.order,
                       static_cast<double>(config.data.tuples));
}

void for_each_piece(
    const GraphsConfig& config, GraphModel& model, const InputBuilder& builder,
    const std::vector<int64_t>& graphs, bool all_pairs,
    const std::function<void(const std::vector<int64_t>&, const std::vector<Tensor>&)>& use) {
  torch::NoGradGuard no_grad;
  for (const std::vector<int64_t>& piece : pieces_of(config, builder.set(), graphs)) {
    use(piece, model->forward(piece_inputs(config, builder, piece, all_pairs)));
  }
}

int64_t rows_of(const InputBuilder& builder, Level level, int64_t graph, bool all_pairs) {
  if (level == Level::kPair && all_pairs) {
    const int64_t n = builder.set().sizes[static_cast<size_t>(graph)];
    return n * n;
  }
  return builder.last_row(level, graph) - builder.first_row(level, graph);
}

Tensor labels_of(const Target& target, const InputBuilder& builder,
                 const std::vector<int64_t>& graphs, bool all_pairs) {
  const GraphSet& set = builder.set();
  const Column& column = *set.find(target.level, target.name);
  const bool spread = target.level == Level::kPair && all_pairs && set.pairs_listed;
  int64_t rows = 0;
  for (const int64_t graph : graphs) rows += rows_of(builder, target.level, graph, all_pairs);
  const float unlisted = target.lists_only_yes ? 0 : std::numeric_limits<float>::quiet_NaN();
  const Tensor labels = torch::full({rows, target.width}, unlisted);
  float* out = labels.data_ptr<float>();
  for (const int64_t graph : graphs) {
    const int64_t first = builder.first_row(target.level, graph);
    for (int64_t row = first; row < builder.last_row(target.level, graph); ++row) {
      int64_t place = row - first;
      if (spread) {
        const auto [u, v] = set.pairs[static_cast<size_t>(row)];
        place = u * set.sizes[static_cast<size_t>(graph)] + v;
      }
      for (int64_t i = 0; i < target.width; ++i) {
        out[place * target.width + i] = label_at(column, row * target.width + i);
      }
    }
    out += rows_of(builder, target.level, graph, all_pairs) * target.width;
  }
  return labels;
}

}  // namespace floydnet::graphs
