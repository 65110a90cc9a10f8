// The training loop that every task shares.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "train/checkpoint.h"
#include "train/config.h"
#include "train/exchange.h"
#include "train/loader.h"
#include "train/metrics_log.h"
#include "train/optimizer.h"
#include "train/parameters.h"
#include "train/run_folder.h"
#include "train/task.h"
#include "train/world.h"

namespace floydnet::train {

class Trainer {
 public:
  /// All must outlive it. `metadata` goes into files of weights.
  Trainer(Task& task, const TrainConfig& config, const RunFolder& folder, World& world,
          Observer& observer, std::map<std::string, std::string> metadata);
  ~Trainer();

  /// Goes on from the newest checkpoint of the folder, if there is one; to be called on all ranks,
  /// before run(). Rank 0 reads it, and the others need not see the folder: they get its state and
  /// weights. Tells, on rank 0, whether there was one.
  bool resume();
  Outcome run();

 private:
  struct Status;
  void train_step(Loader& loader);
  std::vector<std::shared_ptr<const Batch>> next_parts(Loader& loader);
  /// Adds the gradients of this rank's parts; returns their share of the loss.
  double backward_parts(const std::vector<std::shared_ptr<const Batch>>& parts);
  void update(double loss);
  void skip(double loss, double norm);
  void report_step(double loss, double norm, double rate);
  void evaluate();
  void save();
  void save_best();
  void finish(Outcome* outcome);
  void note(const std::string& text);
  bool load_checkpoint();
  /// All ranks' tensors become rank 0's.
  void copy_from_first(const torch::Tensor& tensor);
  /// Running statistics, which each rank gathers from its own parts, become their mean.
  void average_buffers();
  void require_equal_ranks();
  double elapsed() const;
  double cpu_elapsed() const;
  double progress() const;
  double seconds_left(double part) const;
  bool ended() const;
  nlohmann::json state() const;
  void set_state(const nlohmann::json& state);
  std::vector<std::pair<std::string, std::map<std::string, torch::Tensor>>> tensor_groups();

  Task& task_;
  TrainConfig config_;
  RunFolder folder_;
  World& world_;
  Observer& observer_;
  std::map<std::string, std::string> metadata_;
  Goal goal_;

  FlatParameters parameters_;
  AdamW optimizer_;
  Schedule schedule_;
  GradientExchange exchange_;
  CheckpointFolder checkpoints_;
  torch::Tensor average_;  // of weights; undefined if there is none
  std::unique_ptr<MetricsLog> log_;

  int64_t step_ = 0;
  int64_t best_step_ = 0;
  std::optional<double> best_;
  int64_t without_better_ = 0;
  int64_t bad_in_a_row_ = 0;
  int64_t bad_steps_ = 0;
  int signal_ = 0;
  double seconds_before_ = 0;      // of earlier processes of this run
  double cpu_seconds_before_ = 0;  // of all ranks then, put down to rank 0
  double cpu_start_;               // of this process, when its part began
  double shared_seconds_ = 0;      // rank 0's clock, known to all
  double shared_cpu_seconds_ = 0;  // of all ranks
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point window_start_;
  int64_t window_step_ = 0;
  double progress_before_ = 0;  // what earlier processes did
  int64_t saved_step_ = 0;
  std::string save_problem_;
  StepTimes times_;
};

}  // namespace floydnet::train
