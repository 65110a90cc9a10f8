// Solved problems, for tests only.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tasks/clrs/data/dataset.h"

namespace floydnet::clrs {

inline Recipe recipe_for(const std::string& algorithm, int64_t length, uint32_t seed = 1,
                         int64_t samples = 1) {
  Recipe recipe;
  recipe.algorithm = &find_algorithm(algorithm);
  recipe.sampler.length = length;
  recipe.seed = seed;
  recipe.samples = samples;
  return recipe;
}

inline Sample solved(const std::string& algorithm, const Problem& problem) {
  Sample sample;
  solve(find_algorithm(algorithm), problem, true, sample);
  return sample;
}

inline const Reals& array_of(const Spec& spec, const Sample& sample, Stage stage,
                             const std::string& name) {
  const int64_t probe = spec.find(stage, name);
  if (probe < 0) throw std::invalid_argument("no probe " + name);
  return sample.values[probe];
}

/// What an algorithm answers: its only output, or the one of that name.
inline Reals answer(const std::string& algorithm, const Problem& problem,
                    const std::string& name = "") {
  const Spec& spec = find_algorithm(algorithm).spec;
  const Sample sample = solved(algorithm, problem);
  if (name.empty()) return sample.values[spec.first(Stage::kOutput)];
  return array_of(spec, sample, Stage::kOutput, name);
}

/// The place of the single 1.
inline int64_t place_of_one(const Reals& values) {
  return std::find(values.begin(), values.end(), 1.0) - values.begin();
}

}  // namespace floydnet::clrs
