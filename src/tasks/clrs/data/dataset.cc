#include "tasks/clrs/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>

#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

constexpr int64_t kEvaluationSamples = 32;

const Recipe& checked(const Recipe& recipe) {
  check(recipe);
  return recipe;
}

}  // namespace

void check(const Recipe& recipe) {
  recipe.algorithm->sampler->check(recipe.sampler, recipe.algorithm->name);
  if (recipe.samples < 1) {
    throw InputError(fmt::format("at least one sample is needed, not {}", recipe.samples));
  }
}

int64_t sample_multiplier(const Algorithm& algorithm) {
  if (algorithm.name == "find_maximum_subarray_kadane") return 32;
  constexpr const char* kFewBits[] = {"quickselect",          "minimum",     "binary_search",
                                      "naive_string_matcher", "kmp_matcher", "segments_intersect"};
  const bool few =
      std::find(std::begin(kFewBits), std::end(kFewBits), algorithm.name) != std::end(kFewBits);
  return few ? 64 : 1;
}

Recipe official_split(const Algorithm& algorithm, Split split) {
  Recipe recipe;
  recipe.algorithm = &algorithm;
  recipe.sampler.length = split == Split::kTest ? 64 : 16;
  recipe.seed = 1 + static_cast<uint32_t>(split);
  recipe.samples =
      split == Split::kTrain ? 1000 : kEvaluationSamples * sample_multiplier(algorithm);
  return recipe;
}

Stream::Stream(const Recipe& recipe) : recipe_(checked(recipe)), random_(recipe.seed) {}

void Stream::next(Sample& sample, bool record_hints) {
  const Problem problem = recipe_.algorithm->sampler->draw(random_, recipe_.sampler);
  solve(*recipe_.algorithm, problem, record_hints, sample);
}

void Stream::skip(int64_t count) {
  for (int64_t i = 0; i < count; ++i) recipe_.algorithm->sampler->draw(random_, recipe_.sampler);
}

FiniteSet::FiniteSet(const Recipe& recipe) : stream_(recipe), samples_(recipe.samples) {
  for (Sample& sample : samples_) stream_.next(sample);
}

const Sample& FiniteSet::draw() { return samples_[stream_.random().choice(size())]; }

}  // namespace floydnet::clrs
