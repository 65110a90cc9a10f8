/// \file
/// Training a model on a task of one's own: the loop of `floydnet train`, with its checkpoints,
/// resuming, schedules, averages and data-parallel ranks.
///
///     MyTask task;                                     // says what a batch, a loss and a score
///     are floydnet::train::TrainConfig config; config.steps = 1000; auto outcome =
///     floydnet::train::train(task, config, "runs/mine");
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/model.h"
#include "floydnet/results.h"

namespace floydnet {
class OptionTable;
}

namespace floydnet::train {

using record::Goal;
using record::Metrics;
using record::SplitMetrics;
using record::Table;

// --- What is trained -----------------------------------------------------------------------------

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

/// By the names of splits, what Task::tally() gave, added up over all parts.
using SplitSums = std::vector<std::pair<std::string, std::vector<double>>>;

/// What the training loop asks of a task.
class FLOYDNET_EXPORT Task {
 public:
  virtual ~Task();

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
  virtual std::vector<Table> tables(const SplitMetrics& finals) const;
  /// A picture (SVG) of what happens inside the model; InputError if there is none to be had.
  virtual std::string picture();
  /// Whether page() has something to show.
  virtual bool has_page() const;
  /// A page (HTML) about the predictions that tally() has summed up, of all final splits.
  virtual std::string page(const std::string& title, const SplitSums& finals) const;
  /// What a file of its weights says besides the run's configuration. With "floydnet.config", the
  /// configuration of a FloydNet as JSON, load_model reads the file.
  virtual std::map<std::string, std::string> metadata() const;
};

// --- How -----------------------------------------------------------------------------------------

enum class ScheduleKind { kCosine, kPlateau, kConstant };

/// How to train, whatever the task; docs/training.md explains each key.
struct FLOYDNET_EXPORT TrainConfig {
  int64_t steps = 0;
  double minutes = 0;
  double cpu_minutes = 0;
  int64_t batch = 32;
  int64_t accumulate = 1;
  int64_t seed = 1;
  Precision precision = Precision::kFloat32;

  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  double clip = 1;
  ScheduleKind schedule = ScheduleKind::kCosine;
  int64_t warmup = 100;
  double final_fraction = 0.01;
  double plateau_factor = 0.5;
  int64_t plateau_patience = 5;
  double average = 0;

  int64_t evaluate_every = 200;
  int64_t checkpoint_every = 200;
  int64_t log_every = 10;
  int64_t keep = 2;
  int64_t patience = 0;
  int64_t bad_steps = 10;
  int64_t loaders = 1;
  int64_t prefetch = 4;
  bool tensorboard = false;

  /// The keys bound to this object's fields; for the program.
  OptionTable table();
  /// To be called when all has been read: a run without any limit gets kDefaultSteps. Throws
  /// InputError, naming `source`, if fields contradict each other.
  void complete(const std::string& source);
  static constexpr int64_t kDefaultSteps = 2000;
};

// --- What happens --------------------------------------------------------------------------------

/// Training cannot go on; what() says why and what is kept.
class FLOYDNET_EXPORT TrainingFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where training stands after a step.
struct StepReport {
  int64_t step;  ///< that are done
  double loss;
  double learning_rate;
  double gradient_norm;
  double examples_per_second;
  double progress;      ///< 0 to 1
  double seconds_left;  ///< estimated
};

struct EvaluationReport {
  int64_t step;
  std::string split;
  Metrics metrics;
  bool best;
};

/// Is told on rank 0 what happens.
class FLOYDNET_EXPORT Observer {
 public:
  virtual ~Observer();
  virtual void stepped(const StepReport& report);
  virtual void evaluated(const EvaluationReport& report);
  /// Something unusual, in one line.
  virtual void noted(const std::string& line);
};

/// Where the time of the steps went, in seconds.
struct StepTimes {
  double data = 0, forward = 0, backward = 0, exchange = 0, update = 0, evaluation = 0, saving = 0;
};

struct Outcome {
  int64_t step = 0;
  int64_t best_step = 0;
  int64_t bad_steps = 0;
  int signal = 0;  ///< that stopped it, or 0: then it is complete
  double seconds = 0;
  double cpu_seconds = 0;  ///< of all ranks
  StepTimes times;         ///< of this rank
  SplitMetrics finals;
};

/// Trains the task's model and leaves the best weights in it. `folder` gets config.json,
/// metrics.jsonl, checkpoints and best.safetensors; one that holds an unfinished run is resumed
/// from its newest checkpoint. SIGINT and SIGTERM end it early, after a checkpoint.
///
/// A process that RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say is one of several (`floydnet
/// launch`, torchrun) trains together with them. Throws InputError for a bad configuration or a
/// folder that cannot be used, TrainingFailure if gradients stay infinite.
FLOYDNET_EXPORT Outcome train(Task& task, TrainConfig config, const std::string& folder,
                              Observer* observer = nullptr);

/// Sets a model's parameters and buffers from a file that training wrote, best.safetensors.
/// InputError if the file does not hold exactly this model's tensors.
FLOYDNET_EXPORT void load_weights(torch::nn::Module& model, const std::string& path);

}  // namespace floydnet::train
