// Samples of an algorithm: endless streams, finite sets, and the splits of the official benchmark.
//
//   const Algorithm& bfs = find_algorithm("bfs");
//   Stream stream(official_split(bfs, Split::kTest));
//   Sample sample;
//   for (int64_t i = 0; i < 32; ++i) {
//     stream.next(sample);
//     use(sample.values[bfs.spec.find(Stage::kInput, "A")]);  // [n, n]
//   }
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {

/// All that a set of samples depends on: the same recipe gives the same bits.
struct Recipe {
  const Algorithm* algorithm = nullptr;
  SamplerOptions sampler;
  uint32_t seed = 1;
  int64_t samples = 1000;
  /// Without hints samples are small at any size, and only know how many there would be.
  bool hints = true;
};

/// Throws InputError for options that the sampler cannot take, and for less than one sample.
void check(const Recipe& recipe);

enum class Split { kTrain, kValidation, kTest };

/// Lengths 16, 16 and 64, seeds 1, 2 and 3; 1000 samples to train on and 32 times the algorithm's
/// multiplier otherwise.
Recipe official_split(const Algorithm& algorithm, Split split);

/// How many times more validation and test samples than 32 the benchmark has, to make up for
/// outputs of few bits: 1, 32 or 64.
int64_t sample_multiplier(const Algorithm& algorithm);

/// Samples one after another, without end: sample k does not depend on how many are asked for. A
/// copy goes on from where the original stands.
class Stream {
 public:
  /// Checks the recipe, whose number of samples does not matter otherwise.
  explicit Stream(const Recipe& recipe);

  const Spec& spec() const { return recipe_.algorithm->spec; }
  /// Reuses the sample's memory.
  void next(Sample& sample) { next(sample, recipe_.hints); }
  void next(Sample& sample, bool record_hints);
  /// Draws problems and drops them unsolved.
  void skip(int64_t count);
  /// The generator, as the last sample left it.
  RandomState& random() { return random_; }

 private:
  Recipe recipe_;
  RandomState random_;
};

/// The first samples of a stream, held in memory.
class FiniteSet {
 public:
  explicit FiniteSet(const Recipe& recipe);

  int64_t size() const { return static_cast<int64_t>(samples_.size()); }
  const Sample& operator[](int64_t index) const { return samples_[index]; }
  /// One at random, with replacement, by the generator that made the set, as the official sampler
  /// draws its batches.
  const Sample& draw();

 private:
  Stream stream_;
  std::vector<Sample> samples_;
};

}  // namespace floydnet::clrs
