#include <fmt/format.h>

#include <algorithm>

#include "floydnet/clrs_data.h"
#include "floydnet/error.h"
#include "tasks/clrs/data/dataset.h"

namespace floydnet::clrs {
namespace {

Recipe recipe_of(const std::string& algorithm, const SamplesOptions& options) {
  Recipe recipe;
  recipe.algorithm = &find_algorithm(algorithm);
  recipe.sampler.length = options.length;
  recipe.sampler.edge_probabilities = options.edge_probabilities;
  recipe.sampler.needle_length = options.needle_length;
  recipe.seed = options.seed;
  recipe.hints = options.hints;
  return recipe;
}

template <typename T>
NpyArray converted(const std::vector<double>& values, const std::vector<int64_t>& shape) {
  return NpyArray::from(std::vector<T>(values.begin(), values.end()), shape);
}

NpyArray as_stored(Dtype dtype, const std::vector<double>& values,
                   const std::vector<int64_t>& shape) {
  switch (dtype) {
    case Dtype::kInt64:
      return converted<int64_t>(values, shape);
    case Dtype::kFloat32:
      return converted<float>(values, shape);
    default:
      return NpyArray::from(values, shape);
  }
}

/// Of the stacked arrays, as doubles.
double stacked_bytes(const Spec& spec, int64_t count, int64_t nodes, int64_t steps, bool hints) {
  double elements = 0;
  for (const Probe& probe : spec.probes) {
    const bool hint = probe.stage == Stage::kHint;
    if (hint && !hints) continue;
    elements += static_cast<double>(probe.elements(nodes)) * static_cast<double>(hint ? steps : 1);
  }
  return elements * static_cast<double>(count) * sizeof(double);
}

}  // namespace

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

struct Samples::State {
  State(const std::string& algorithm, const SamplesOptions& options)
      : stream(recipe_of(algorithm, options)), hints(options.hints) {}

  Stream stream;
  bool hints;
};

Samples::Samples(const std::string& algorithm, const SamplesOptions& options)
    : state_(std::make_unique<State>(algorithm, options)) {}

Samples::~Samples() = default;
Samples::Samples(Samples&&) noexcept = default;
Samples& Samples::operator=(Samples&&) noexcept = default;

NpzArchive Samples::next(int64_t count, int64_t max_bytes) {
  if (count < 1) throw InputError(fmt::format("at least one sample is needed, not {}", count));
  const Spec& spec = state_->stream.spec();
  // Samples that turn out too large leave the stream where it was.
  Stream stream = state_->stream;
  std::vector<Sample> samples;
  int64_t steps = 0;
  while (static_cast<int64_t>(samples.size()) < count) {
    stream.next(samples.emplace_back());
    steps = std::max(steps, samples.back().steps);
    const double bytes = stacked_bytes(spec, count, samples.back().nodes, steps, state_->hints);
    if (bytes > static_cast<double>(max_bytes)) {
      throw InputError(
          fmt::format("{} samples take at least {:.1f} GB, more than the {:.1f} GB "
                      "allowed; ask for fewer at once, or for none of their hints",
                      count, bytes / 1e9, static_cast<double>(max_bytes) / 1e9));
    }
  }
  const Batch batch = stack(spec, samples);
  NpzArchive arrays;
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const Probe& probe = spec.probes[p];
    const bool hint = probe.stage == Stage::kHint;
    if (hint && !state_->hints) continue;
    std::vector<int64_t> shape = probe.shape(batch.nodes);
    shape.insert(shape.begin(), count);
    if (hint) shape.insert(shape.begin(), batch.steps);
    arrays[probe.key()] = as_stored(probe.dtype, batch.values[p], shape);
  }
  arrays["lengths"] = converted<double>(
      std::vector<double>(batch.sample_steps.begin(), batch.sample_steps.end()), {count});
  state_->stream = stream;
  return arrays;
}

void Samples::skip(int64_t count) {
  if (count < 0) throw InputError(fmt::format("cannot skip {} samples", count));
  state_->stream.skip(count);
}

}  // namespace floydnet::clrs
