// A small task for tests: a network learns a fixed function of random points.
#pragma once

#include <torch/torch.h>

#include <cmath>
#include <functional>
#include <limits>

#include "train/task.h"

namespace floydnet::train {

struct PointsBatch final : Batch {
  torch::Tensor x, y;
  int64_t step;
};

class PointsTask final : public Task {
 public:
  explicit PointsTask(int64_t batch_size = 8, int64_t seed = 1) : batch_size_(batch_size) {
    torch::manual_seed(seed);
    network_ = torch::nn::Sequential(torch::nn::Linear(3, 16), torch::nn::Tanh(),
                                     torch::nn::Linear(16, 1));
  }

  torch::nn::Module& model() override { return *network_; }

  std::shared_ptr<const Batch> batch(int64_t step, Part part) const override {
    auto batch = std::make_shared<PointsBatch>();
    batch->x = torch::empty({batch_size_, 3});
    for (int64_t i = 0; i < batch->x.numel(); ++i) {
      batch->x.data_ptr<float>()[i] =
          static_cast<float>(std::sin(static_cast<double>(1 + step * 31 + i * 7)));
    }
    batch->x = batch->x.slice(0, part.begin(batch_size_), part.end(batch_size_)).contiguous();
    batch->y = batch->x.prod(1, /*keepdim=*/true) + batch->x.narrow(1, 0, 1);
    batch->step = step;
    batch->weights = {static_cast<double>(batch->x.size(0))};
    for (int64_t i = 0; pieces > 1 && i < pieces; ++i) {
      auto piece = std::make_shared<PointsBatch>(*batch);
      const Part share{i, pieces};
      const int64_t first = share.begin(batch->x.size(0)), last = share.end(batch->x.size(0));
      piece->pieces.clear();
      piece->x = batch->x.slice(0, first, last);
      piece->y = batch->y.slice(0, first, last);
      batch->pieces.push_back(piece);
    }
    return batch;
  }

  std::vector<torch::Tensor> loss_sums(const Batch& any) override {
    const auto& batch = static_cast<const PointsBatch&>(any);
    torch::Tensor sum = (network_->forward(batch.x) - batch.y).square().sum();
    if (spoiled && spoiled(batch.step)) sum = sum * std::numeric_limits<double>::quiet_NaN();
    return {sum};
  }

  Goal goal() const override { return {"validation", "error", false}; }
  std::vector<std::string> final_splits() const override { return {"validation"}; }

  std::vector<double> tally(const std::string&, Part part) override {
    double sum = 0, count = 0;
    for (int64_t i = part.begin(4); i < part.end(4); ++i) {
      const auto examples = batch(1'000'000 + i, {});
      sum += loss_sums(*examples)[0].item<double>();
      count += examples->weights[0];
    }
    return {sum, count};
  }
  Metrics metrics(const std::string&, const std::vector<double>& sums) const override {
    return {{"error", sums[0] / sums[1]}};
  }

  /// That each batch is cut into.
  int64_t pieces = 1;
  /// Says for which steps the loss is not a number.
  std::function<bool(int64_t step)> spoiled;

 private:
  int64_t batch_size_;
  torch::nn::Sequential network_;
};

}  // namespace floydnet::train
