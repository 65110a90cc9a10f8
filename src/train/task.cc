#include "train/task.h"

#include "floydnet/error.h"

namespace floydnet::train {

Task::~Task() = default;

std::vector<Table> Task::tables(const SplitMetrics& /*finals*/) const { return {}; }

std::map<std::string, std::string> Task::metadata() const { return {}; }

std::string Task::picture() {
  throw InputError("this task has no picture of what happens inside its models");
}

bool Task::has_page() const { return false; }

std::string Task::page(const std::string& /*title*/, const SplitSums& /*finals*/) const {
  throw InputError("this task has no page of its predictions");
}

std::vector<const Batch*> pieces_of(const Batch& batch) {
  if (batch.pieces.empty()) return {&batch};
  std::vector<const Batch*> pieces;
  for (const auto& piece : batch.pieces) pieces.push_back(piece.get());
  return pieces;
}

torch::Tensor mean_loss(const std::vector<torch::Tensor>& sums,
                        const std::vector<double>& weights) {
  TORCH_CHECK(!sums.empty() && sums.size() == weights.size(), sums.size(), " sums of a loss with ",
              weights.size(), " weights");
  torch::Tensor loss;
  for (size_t term = 0; term < sums.size(); ++term) {
    const torch::Tensor mean = sums[term] * (weights[term] > 0 ? 1 / weights[term] : 0);
    loss = loss.defined() ? loss + mean : mean;
  }
  return loss;
}

}  // namespace floydnet::train
