// FloydNet on the edges of instances: from weights, and in diffusion a noisy tour, to a tour.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "floydnet/model.h"
#include "tasks/tsp/data/instance.h"
#include "tasks/tsp/diffusion.h"

namespace floydnet::tsp {

enum class Mode { kOneShot, kDiffusion };
/// How weights enter: numbers of features.h, or categories as in the published models.
enum class Encoding { kNumbers, kCategories };
/// Of the estimate of a tour's edges, 0 or 1: squares, or the cross entropy of its sigmoid.
enum class EdgeLoss { kSquared, kCrossEntropy };

struct EdgeModelOptions {
  Mode mode = Mode::kDiffusion;
  Encoding encoding = Encoding::kNumbers;
  EdgeLoss loss = EdgeLoss::kCrossEntropy;
  /// Edges have no direction: noise and estimates are the same for both. The published models do
  /// not know that.
  bool symmetric = true;
};

/// Instances, packed; pairs (i, j) of one after the other.
struct EdgeBatch {
  GraphBatch graphs;
  torch::Tensor transposed;  // [pairs]: where (j, i) stands
  torch::Tensor instance;    // [pairs]: which instance a pair is of
};

class EdgeModelImpl : public torch::nn::Module {
 public:
  /// `blocks` gives width, depth and the like; what goes in and out follows from the options.
  EdgeModelImpl(const ModelConfig& blocks, const EdgeModelOptions& options);
  /// An imported model with the published encoding.
  explicit EdgeModelImpl(FloydNet published);

  EdgeBatch batch(const std::vector<const Instance*>& instances) const;
  /// [pairs] of raw outputs; noisy edges and signal rates [instances] in diffusion, else undefined.
  torch::Tensor forward(const EdgeBatch& batch, const torch::Tensor& noisy,
                        const torch::Tensor& alpha);
  /// [pairs]: forward's as estimates of edges, 0 to 1.
  torch::Tensor estimate(const EdgeBatch& batch, const torch::Tensor& noisy,
                         const torch::Tensor& alpha);
  /// Sums over pairs of what each instance's pairs cost on average, times its cities; `edges` are
  /// those of tours. Draws times and noise.
  torch::Tensor loss_sum(const EdgeBatch& batch, const torch::Tensor& edges);

  /// Of a pair and its reverse, the same where the model is symmetric.
  torch::Tensor noise_like(const EdgeBatch& batch, const torch::Tensor& noise) const;

  const EdgeModelOptions& options() const { return options_; }
  const ModelConfig& config() const { return net_->config(); }

 private:
  EdgeModelOptions options_;
  FloydNet net_{nullptr};
};
TORCH_MODULE(EdgeModel);

/// 1 where a tour goes from i to j or back, [pairs] of one instance after the other.
torch::Tensor tour_edges(const std::vector<Tour>& tours);

}  // namespace floydnet::tsp
