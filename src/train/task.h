// What the training loop asks of a task.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/metrics.h"
#include "record/table.h"

namespace floydnet::train {

/// One of `count` shares of something, as equal as can be.
struct Part {
  int64_t index = 0;
  int64_t count = 1;

  int64_t begin(int64_t items) const { return items * index / count; }
  int64_t end(int64_t items) const { return items * (index + 1) / count; }
};

/// What one step, or a part of it, learns from; each task has its own kind.
///
/// The loss of a step is a sum over terms. A term is a mean: its sums over all parts of the batch,
/// added up, divided by its weights over all parts, added up. So cutting a batch into parts does
/// not change what is learned.
struct Batch {
  virtual ~Batch() = default;

  /// The weight of each term in this part, such as the number of entries that count. Every part
  /// has the same terms; one without such entries has weight 0.
  std::vector<double> weights;
  /// Shares of it that are computed one after another, forward and backward, so that memory is that
  /// of the largest. Their sums and weights add up to those of the batch. Empty: all at once.
  std::vector<std::shared_ptr<const Batch>> pieces;
};

/// What is computed at a time: its pieces, or all of it.
std::vector<const Batch*> pieces_of(const Batch& batch);

using record::Goal;
using record::Metrics;
using record::SplitMetrics;
using record::Table;

class Task {
 public:
  virtual ~Task() = default;

  virtual torch::nn::Module& model() = 0;

  /// A part of the batch of a step, determined by the task's seed, the step and the part alone.
  /// Called by several threads at once.
  virtual std::shared_ptr<const Batch> batch(int64_t step, Part part) const = 0;
  /// Of each term, a scalar. Of a batch in pieces, it is called for each of them instead.
  virtual std::vector<torch::Tensor> loss_sums(const Batch& batch) = 0;

  virtual Goal goal() const = 0;
  /// What is evaluated when training has ended, with the best weights.
  virtual std::vector<std::string> final_splits() const = 0;
  /// Sums over a part of a split's examples, such that those of all parts added up give metrics().
  /// Gradients are off, and the model is in evaluation mode.
  virtual std::vector<double> tally(const std::string& split, Part part) = 0;
  virtual Metrics metrics(const std::string& split, const std::vector<double>& sums) const = 0;

  /// For reports, of the metrics of the final splits.
  virtual std::vector<Table> tables(const SplitMetrics& /*finals*/) const { return {}; }
  /// A picture (SVG) of what happens inside the model; InputError if there is none to be had.
  virtual std::string picture();
  /// What a file of its weights says besides the run's configuration.
  virtual std::map<std::string, std::string> metadata() const { return {}; }
};

/// The sum over terms of sum / weight; a term without weight adds nothing.
torch::Tensor mean_loss(const std::vector<torch::Tensor>& sums, const std::vector<double>& weights);

}  // namespace floydnet::train
