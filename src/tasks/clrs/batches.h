// Batches to train on, made on the fly or drawn from a finite set, and sets to be judged by.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "tasks/clrs/data/dataset.h"
#include "tasks/clrs/data/postprocessing.h"
#include "tasks/clrs/data/script.h"
#include "tasks/clrs/data/transitions.h"
#include "tasks/clrs/features.h"

namespace floydnet::clrs {

/// What is learned and judged; docs/clrs.md explains each key.
struct ClrsDataConfig {
  std::string algorithm = "bfs";
  std::vector<int64_t> train_lengths = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  bool varied_edges = true;
  int64_t longest_needle = kScriptLongestNeedle;
  bool random_positions = true;
  double random_scale = 1;
  bool predecessor_as_input = true;
  bool permutation_outputs = true;
  int64_t finite_samples = 0;
  int64_t validation_length = 16;
  int64_t validation_samples = 0;
  int64_t validation_seed = 2;
  std::vector<int64_t> lengths = {64};
  int64_t samples = 0;
  int64_t test_seed = 3;
  GraphFamily test_graphs = GraphFamily::kClrs;
  NumberHints number_hints = NumberHints::kOrder;
  double last_steps = 0.1;

  /// The keys bound to this object's fields.
  OptionTable table();
  /// Strict, as ClrsModelConfig's.
  static ClrsDataConfig from_json(const nlohmann::json& json, const std::string& source = "config");
  nlohmann::json to_json() const;
  /// Of samples to train on; without random positions, of those to be judged by.
  Postprocessing postprocessing() const;
};

/// Batches that depend on the seed and the step alone. May be used by several threads at once.
class TrainingBatches {
 public:
  /// Throws InputError for lengths that the algorithm cannot be drawn with.
  TrainingBatches(const Algorithm& algorithm, const ClrsDataConfig& config, Hints hints,
                  uint64_t seed);

  const Spec& spec() const { return cutter_ ? cutter_->spec() : postprocessor_.spec(); }
  /// Part number `part` of `parts` of a batch of `samples`, all of which have the same length.
  BatchTensors batch(int64_t step, int64_t samples, int64_t part = 0, int64_t parts = 1) const;

 private:
  Recipe recipe_for(int64_t length, uint32_t seed) const;
  /// Divides all numbers but positions and counts by one of 1 to random_scale, drawn.
  void scale(Sample& sample, uint64_t draw) const;
  /// Leaves two snapshots of the hints; gives 1 if the second is the trajectory's last, else 0.
  double cut_step(Sample& sample, uint64_t draw) const;

  const Algorithm& algorithm_;
  ClrsDataConfig config_;
  Hints hints_;
  uint64_t seed_;
  Postprocessor postprocessor_;
  std::optional<TransitionCutter> cutter_;
  std::map<int64_t, FiniteSet> sets_;  // by length, if samples are finite
};

/// A part of a set that models are judged by, made a few samples at a time.
class JudgedSet {
 public:
  /// The samples first..last-1 of the recipe's. `random_positions` as the official script has it in
  /// validation; never in tests.
  JudgedSet(const Recipe& recipe, const ClrsDataConfig& config, Hints hints, bool random_positions,
            int64_t first, int64_t last);

  const Spec& spec() const { return cutter_ ? cutter_->spec() : postprocessor_.spec(); }
  /// The next samples, at most `count`; none at the end. With transitions they have the first
  /// snapshot of the hints alone.
  BatchTensors next(int64_t count);

 private:
  Postprocessor postprocessor_;
  std::optional<TransitionCutter> cutter_;
  bool first_hints_only_;
  Stream stream_;
  uint32_t seed_;
  int64_t at_, last_;
};

}  // namespace floydnet::clrs
