#include "tasks/clrs/data/training.h"

#include <algorithm>

#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

bool has_sparse_graphs(const Algorithm& algorithm) {
  return algorithm.sampler == &kArticulationSampler || algorithm.sampler == &kSpanningTreeSampler;
}

}  // namespace

std::vector<double> script_edge_probabilities(const Algorithm& algorithm) {
  std::vector<double> all;
  for (int i = 0; i < 9; ++i) {
    const double p = 0.1 + 0.1 * i;
    all.push_back(has_sparse_graphs(algorithm) ? p / 2 : p);
  }
  return all;
}

TrainingData::TrainingData(const Algorithm& algorithm, const TrainingSettings& settings)
    : algorithm_(algorithm),
      settings_(settings),
      postprocessor_(algorithm, settings.postprocessing),
      random_(settings.seed) {
  if (settings.lengths.empty()) throw InputError("at least one length to train on is needed");
  draw_seed();  // the script's first seed is its network's
  for (const int64_t length : script_lengths()) {
    Recipe recipe = recipe_for(length);
    if (settings.finite_samples > 0) {
      recipe.samples = settings.finite_samples;
      sets_.emplace_back(recipe);
    } else {
      streams_.emplace_back(recipe);
      streams_.back().skip(settings.dropped_samples);
    }
  }
  const std::vector<int64_t> lengths = script_lengths();
  validation_recipe_ = recipe_for(*std::max_element(lengths.begin(), lengths.end()));
  validation_recipe_.samples =
      official_split(algorithm, Split::kValidation).samples * settings.validation_factor;
}

/// randint(2^32): exactly one word.
uint32_t TrainingData::draw_seed() { return random_.next_u32(); }

std::vector<int64_t> TrainingData::script_lengths() const {
  if (!algorithm_.sampler->matches_strings) return settings_.lengths;
  return {*std::max_element(settings_.lengths.begin(), settings_.lengths.end()) * 5 / 4};
}

Recipe TrainingData::recipe_for(int64_t length) {
  Recipe recipe;
  recipe.algorithm = &algorithm_;
  recipe.sampler.length = length;
  recipe.sampler.edge_probabilities = settings_.edge_probabilities.empty()
                                          ? script_edge_probabilities(algorithm_)
                                          : settings_.edge_probabilities;
  if (algorithm_.sampler->matches_strings) recipe.sampler.needle_length = -settings_.longest_needle;
  recipe.sampler.graphs = settings_.graphs;
  recipe.seed = draw_seed();
  recipe.hints = settings_.hints;
  return recipe;
}

void TrainingData::next_batch(std::vector<Sample>& batch) {
  const size_t turn = turn_++ % std::max(streams_.size(), sets_.size());
  for (Sample& sample : batch) {
    if (sets_.empty()) {
      streams_[turn].next(sample);
    } else {
      sample = sets_[turn].draw();
    }
  }
  postprocess(batch);
}

void TrainingData::next_validation_batch(std::vector<Sample>& batch) {
  if (!validation_) validation_.emplace(validation_recipe_);
  for (Sample& sample : batch) sample = validation_->draw();
  postprocess(batch);
}

void TrainingData::postprocess(std::vector<Sample>& batch) {
  for (Sample& sample : batch) postprocessor_.apply(sample, random_);
}

}  // namespace floydnet::clrs
