#include "tasks/graphs/pieces.h"

#include <torch/torch.h>

#include "tasks/graphs/batches/order.h"

namespace floydnet::graphs {

using torch::Tensor;

GraphInputs piece_inputs(const GraphsConfig& config, const InputBuilder& builder,
                         const std::vector<int64_t>& graphs) {
  GraphInputs inputs = builder.make(graphs);
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
    const std::vector<int64_t>& graphs,
    const std::function<void(const std::vector<int64_t>&, const std::vector<Tensor>&)>& use) {
  torch::NoGradGuard no_grad;
  for (const std::vector<int64_t>& piece : pieces_of(config, builder.set(), graphs)) {
    use(piece, model->forward(piece_inputs(config, builder, piece)));
  }
}

Tensor labels_of(const Target& target, const InputBuilder& builder,
                 const std::vector<int64_t>& graphs) {
  const Column& column = *builder.set().find(target.level, target.name);
  int64_t rows = 0;
  for (const int64_t graph : graphs) {
    rows += builder.last_row(target.level, graph) - builder.first_row(target.level, graph);
  }
  const Tensor labels = torch::empty({rows, target.width});
  float* out = labels.data_ptr<float>();
  for (const int64_t graph : graphs) {
    const int64_t end = builder.last_row(target.level, graph) * target.width;
    for (int64_t entry = builder.first_row(target.level, graph) * target.width; entry < end;
         ++entry) {
      *out++ = label_at(column, entry);
    }
  }
  return labels;
}

}  // namespace floydnet::graphs
