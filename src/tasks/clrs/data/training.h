// Training and validation data as the official training script makes them: sizes in turns, random
// edge probabilities and needles, and the samples post-processed.
//
//   TrainingData data(find_algorithm("bfs"), settings);
//   std::vector<Sample> batch(32);
//   data.next_batch(batch);   // of one size; data.spec() names its arrays
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks/clrs/data/dataset.h"
#include "tasks/clrs/data/postprocessing.h"

namespace floydnet::clrs {

/// 0.1, 0.2, ..., 0.9, and half of that for problems whose graphs are sparse.
std::vector<double> script_edge_probabilities(const Algorithm& algorithm);

constexpr int64_t kScriptLongestNeedle = 8;

/// The defaults are the script's.
struct TrainingSettings {
  /// They take turns, a batch each. String matching has a single one, 5/4 of the largest.
  std::vector<int64_t> lengths = {4, 7, 11, 13, 16};
  /// Empty: script_edge_probabilities().
  std::vector<double> edge_probabilities;
  int64_t longest_needle = kScriptLongestNeedle;
  /// 0: new samples on the fly. Otherwise each length has so many, drawn with replacement.
  int64_t finite_samples = 0;
  /// What the official on-the-fly sampler throws away at first. Needed only to see the same
  /// samples.
  int64_t dropped_samples = 1000;
  /// Times 32 and the algorithm's multiplier; drawn with replacement.
  int64_t validation_factor = 2;
  GraphFamily graphs = GraphFamily::kClrs;
  bool hints = true;
  Postprocessing postprocessing;
  uint32_t seed = 42;
};

class TrainingData {
 public:
  TrainingData(const Algorithm& algorithm, const TrainingSettings& settings);

  /// Of post-processed samples.
  const Spec& spec() const { return postprocessor_.spec(); }
  /// Fills every element; all are of the same size.
  void next_batch(std::vector<Sample>& batch);
  /// Of the largest length that is trained on. (The script asks for 16 nodes in validation even for
  /// string matching, where needles of 8 characters do not fit, and fails.)
  void next_validation_batch(std::vector<Sample>& batch);
  int64_t validation_samples() const { return validation_recipe_.samples; }

 private:
  uint32_t draw_seed();
  std::vector<int64_t> script_lengths() const;
  Recipe recipe_for(int64_t length);
  void postprocess(std::vector<Sample>& batch);

  const Algorithm& algorithm_;
  TrainingSettings settings_;
  Postprocessor postprocessor_;
  RandomState random_;  // the script's: seeds of samplers, then positions
  std::vector<Stream> streams_;
  std::vector<FiniteSet> sets_;
  Recipe validation_recipe_;
  std::optional<FiniteSet> validation_;  // made when it is first asked for
  size_t turn_ = 0;
};

}  // namespace floydnet::clrs
