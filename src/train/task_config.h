// A task's side of a run's configuration: what a command line can set, and what comes of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "floydnet/model.h"
#include "train/config.h"
#include "train/task.h"

namespace floydnet::train {

/// Of new inputs that a trained model is to say something about.
struct PredictionFiles {
  std::string weights;
  std::string input;
  std::string output;
  /// Is told how many graphs of how many are done; may be empty.
  std::function<void(int64_t done, int64_t graphs)> finished = {};
};
struct PredictionSummary {
  int64_t graphs = 0;
  std::vector<std::string> columns;  ///< that were written, besides the names of rows
};

class TaskConfig {
 public:
  /// A flag that stands for --set KEY=...
  struct Shortcut {
    std::string flag;
    std::string key;
    std::string help;
  };

  virtual ~TaskConfig() = default;

  TrainConfig train;

  virtual std::vector<Shortcut> shortcuts() const = 0;
  /// Those of evaluations.
  virtual std::vector<Shortcut> eval_shortcuts() const { return {}; }
  /// Binds the sections to this object's fields.
  virtual void add_to(RunConfig* config) = 0;
  /// Reads the data that the configuration names, and completes keys that follow from it. Called
  /// before memory_needed() and make_task(), and before the configuration is written. Throws
  /// InputError if data cannot be read.
  virtual void read_data() {}
  /// Weights are drawn from train.seed. Throws InputError if data cannot be read.
  virtual std::unique_ptr<Task> make_task() const = 0;
  /// About how many bytes make_task() and what follows take on each of so many ranks that train; of
  /// none, what evaluating takes. A lower bound, or little more.
  virtual double memory_needed(int64_t training_ranks) const = 0;
  /// Writes what weights of this configuration say about a file of inputs. Throws InputError, also
  /// if the task has no such predictions.
  virtual PredictionSummary predict(const PredictionFiles& files) const;
  /// What is learned, where a task has a model for each of several things: files of weights that
  /// come with the program are called so. All of them, and a table of what they scored.
  virtual std::string model_name() const { return {}; }
  virtual std::vector<std::string> model_names() const { return {}; }
  /// Settings that judge weights which come with the program, whatever their run was judged by.
  virtual std::vector<std::string> models_settings() const { return {}; }
  virtual Table models_table(const std::map<std::string, SplitMetrics>& /*finals*/) const {
    return {};
  }
};

/// The section "model".
void add_model_section(RunConfig* config, ModelConfig* model);

}  // namespace floydnet::train
