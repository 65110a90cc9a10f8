#include "tasks/clrs/batches.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/options.h"
#include "base/require.h"
#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

uint64_t mixed(uint64_t a, uint64_t b) { return well_mixed(well_mixed(a + kGoldenStep) + b); }

constexpr int64_t kMaxSeed = (int64_t{1} << 32) - 1;
/// Tells the draw of a step from others of the same sample.
constexpr uint64_t kStepDraw = 1;
constexpr uint64_t kScaleDraw = 2;

/// In [0, 1).
double unit_number(uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

std::optional<TransitionCutter> cutter_for(const Postprocessor& postprocessor,
                                           const ClrsDataConfig& config, Hints hints) {
  if (hints != Hints::kTransitions && hints != Hints::kTrajectories) return std::nullopt;
  return TransitionCutter(postprocessor.spec(), config.number_hints);
}

BatchTensors stacked(const Spec& spec, const std::vector<Sample>& samples) {
  return to_tensors(spec, stack(spec, samples));
}

}  // namespace

OptionTable ClrsDataConfig::table() {
  OptionTable t;
  t.text("algorithm", &algorithm, "one of the 30, as `floydnet data clrs --list` has them");
  t.integers("train_lengths", &train_lengths, {0, kMaxLength},
             "lengths of the training samples; each batch draws one");
  t.boolean("varied_edges", &varied_edges,
            "edge probabilities as in the official training script, one drawn for each graph; "
            "otherwise the sampler's own");
  t.integer("longest_needle", &longest_needle, {1, kMaxLength},
            "needles of string matching are 1 to this long, less than half of the length");
  t.boolean("random_positions", &random_positions,
            "positions are sorted random numbers in training");
  t.real("random_scale", &random_scale, {1, 1000},
         "without hints, all numbers of a training sample but its positions and counts are divided "
         "by one random number from 1 to this");
  t.boolean("predecessor_as_input", &predecessor_as_input,
            "the order of an array is an input, where it does not change");
  t.boolean("permutation_outputs", &permutation_outputs,
            "a sort's pointers are decoded as a permutation, by Sinkhorn's method");
  t.integer("finite_samples", &finite_samples, {0, 100'000'000},
            "samples of each length to draw from; 0: new ones on the fly");
  t.integer(
      "validation_length", &validation_length, {0, kMaxLength},
      "length of the validation samples, which decide the best weights; 16: the official split");
  t.integer("validation_samples", &validation_samples, {0, 100'000'000},
            "number of validation samples; 0: as many as the official split has");
  t.integer("validation_seed", &validation_seed, {0, kMaxSeed},
            "random seed of the validation samples; 2: the official split");
  t.integers("lengths", &lengths, {0, kMaxLength},
             "lengths of the test samples; 64: the official split, others are made the same way");
  t.integer("samples", &samples, {0, 100'000'000},
            "number of test samples of each length; 0: as many as the official split has");
  t.integer("test_seed", &test_seed, {0, kMaxSeed},
            "random seed of the test samples; 3: the official split");
  t.choice<GraphFamily>("test_graphs", &test_graphs,
                        {{"clrs", GraphFamily::kClrs}, {"salsa", GraphFamily::kSalsa}},
                        "of these samples: the benchmark's own, or SALSA-CLRS's, which are "
                        "connected and sparse");
  t.choice<NumberHints>("number_hints", &number_hints,
                        {{"order", NumberHints::kOrder},
                         {"values", NumberHints::kValues},
                         {"none", NumberHints::kNone}},
                        "of transitions, hints that are numbers: which of two nodes has the less; "
                        "as they are; left out");
  t.real("last_steps", &last_steps, {0, 1},
         "part of the transitions that are the last of their trajectory, which outputs are learned "
         "from, beside those that are drawn");
  return t;
}

ClrsDataConfig ClrsDataConfig::from_json(const nlohmann::json& json, const std::string& source) {
  ClrsDataConfig config;
  config.table().read(json, source);
  return config;
}

nlohmann::json ClrsDataConfig::to_json() const {
  ClrsDataConfig copy = *this;
  return copy.table().write();
}

Postprocessing ClrsDataConfig::postprocessing() const {
  return {random_positions, predecessor_as_input, permutation_outputs};
}

TrainingBatches::TrainingBatches(const Algorithm& algorithm, const ClrsDataConfig& config,
                                 Hints hints, uint64_t seed)
    : algorithm_(algorithm),
      config_(config),
      hints_(hints),
      seed_(seed),
      postprocessor_(algorithm, config.postprocessing()),
      cutter_(cutter_for(postprocessor_, config, hints)) {
  if (config_.random_scale != 1 && hints != Hints::kNone) {
    throw InputError::in("data.random_scale", "needs \"model.hints\" \"none\"");
  }
  if (config_.train_lengths.empty()) throw InputError::in("data.train_lengths", "is empty");
  for (const int64_t length : config_.train_lengths) {
    check(recipe_for(length, 1));
    if (config_.finite_samples == 0) continue;
    Recipe recipe = recipe_for(length, 1);
    recipe.samples = config_.finite_samples;
    sets_.emplace(length, FiniteSet(recipe));
  }
}

Recipe TrainingBatches::recipe_for(int64_t length, uint32_t seed) const {
  Recipe recipe;
  recipe.algorithm = &algorithm_;
  recipe.sampler.length = length;
  if (config_.varied_edges) {
    recipe.sampler.edge_probabilities = script_edge_probabilities(algorithm_);
  }
  if (algorithm_.sampler->matches_strings) {
    recipe.sampler.needle_length =
        -std::clamp<int64_t>((length - 1) / 2, 1, config_.longest_needle);
  }
  recipe.seed = seed;
  recipe.hints = hints_ != Hints::kNone;
  return recipe;
}

BatchTensors TrainingBatches::batch(int64_t step, int64_t samples, int64_t part,
                                    int64_t parts) const {
  require(0 <= part && part < parts, "CLRS: part {} of {}", part, parts);
  const uint64_t draw = mixed(seed_, static_cast<uint64_t>(step));
  const int64_t length = config_.train_lengths[draw % config_.train_lengths.size()];
  std::vector<Sample> chosen;
  std::vector<double> ends;
  for (int64_t i = part * samples / parts; i < (part + 1) * samples / parts; ++i) {
    // Each sample has generators of its own, so that parts need not know of each other.
    const uint64_t own = mixed(draw, static_cast<uint64_t>(i));
    Sample sample;
    if (sets_.empty()) {
      Stream(recipe_for(length, static_cast<uint32_t>(own))).next(sample);
    } else {
      const FiniteSet& set = sets_.at(length);
      sample = set[static_cast<int64_t>(own % static_cast<uint64_t>(set.size()))];
    }
    RandomState positions(static_cast<uint32_t>(own >> 32));
    postprocessor_.apply(sample, positions);
    if (config_.random_scale != 1) scale(sample, mixed(own, kScaleDraw));
    if (cutter_) ends.push_back(cut_step(sample, mixed(own, kStepDraw)));
    chosen.push_back(std::move(sample));
  }
  BatchTensors batch = stacked(spec(), chosen);
  if (cutter_) batch.ends = torch::tensor(ends, torch::kFloat32);
  return batch;
}

void TrainingBatches::scale(Sample& sample, uint64_t draw) const {
  const double factor = std::pow(config_.random_scale, -unit_number(draw));
  const Spec& spec = postprocessor_.spec();
  for (int64_t p = 0; p < spec.count(Stage::kInput); ++p) {
    const Probe& probe = spec.probes[p];
    if (probe.type != Type::kScalar || probe.dtype == Dtype::kInt64 || is_position(probe)) continue;
    for (double& value : sample.values[p]) value *= factor;
  }
}

double TrainingBatches::cut_step(Sample& sample, uint64_t draw) const {
  const int64_t transitions = std::max<int64_t>(1, sample.steps - 1);
  const bool is_last = unit_number(draw) < config_.last_steps;
  const auto step = is_last ? transitions - 1
                            : static_cast<int64_t>(well_mixed(draw + kGoldenStep) %
                                                   static_cast<uint64_t>(transitions));
  const double ends = step == transitions - 1 ? 1 : 0;
  sample.steps = std::min<int64_t>(2, sample.steps);
  cutter_->cut(sample, step, sample.steps);
  return ends;
}

JudgedSet::JudgedSet(const Recipe& recipe, const ClrsDataConfig& config, Hints hints,
                     bool random_positions, int64_t first, int64_t last)
    : postprocessor_(*recipe.algorithm,
                     {random_positions, config.predecessor_as_input, config.permutation_outputs}),
      cutter_(cutter_for(postprocessor_, config, hints)),
      first_hints_only_(hints == Hints::kTransitions),
      stream_(recipe),
      seed_(recipe.seed),
      at_(first),
      last_(last) {
  stream_.skip(first);
}

BatchTensors JudgedSet::next(int64_t count) {
  std::vector<Sample> samples;
  for (; at_ < last_ && static_cast<int64_t>(samples.size()) < count; ++at_) {
    samples.emplace_back();
    stream_.next(samples.back());
    RandomState positions(static_cast<uint32_t>(mixed(seed_, static_cast<uint64_t>(at_))));
    postprocessor_.apply(samples.back(), positions);
    if (cutter_) {
      cutter_->cut(samples.back(), 0, first_hints_only_ ? 1 : samples.back().steps);
    }
  }
  return stacked(spec(), samples);
}

}  // namespace floydnet::clrs
