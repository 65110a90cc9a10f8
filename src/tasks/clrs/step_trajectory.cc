#include "tasks/clrs/step_trajectory.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "floydnet/error.h"
#include "tasks/clrs/agreement.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

/// Of one batch: [hints][samples][steps], the part of entries that are right.
using RightParts = std::vector<std::vector<std::vector<double>>>;

RightParts right_parts(ClrsModel& model, const Spec& spec, const BatchTensors& batch) {
  const std::vector<Probe> probes = spec.of(Stage::kHint);
  RightParts right(probes.size(),
                   std::vector<std::vector<double>>(static_cast<size_t>(batch.samples)));
  int64_t step = 0;
  rollout(spec, batch, [&](const Tensors& inputs, const Tensors& hints, const Tensor& samples) {
    const Tensors truth = hints_at(spec, batch, step++);
    for (size_t h = 0; h < probes.size(); ++h) {
      // Pointers are one-hot rows here, as classes are.
      const bool by_rows = probes[h].type != Type::kScalar && probes[h].type != Type::kMask;
      const Tensor equal = equal_part(hints[h], truth[h].index_select(0, samples), by_rows);
      for (int64_t i = 0; i < samples.numel(); ++i) {
        right[h][samples[i].item<int64_t>()].push_back(equal[i].item<double>());
      }
    }
    return model->transition(inputs, hints, samples.numel(), batch.nodes);
  });
  return right;
}

/// The first step at which an entry is wrong; the number of steps if there is none.
int64_t first_wrong_step(const std::vector<double>& right) {
  const auto is_wrong = [](double part) { return part < 1; };
  return std::find_if(right.begin(), right.end(), is_wrong) - right.begin();
}

void add_sample(const RightParts& right, size_t sample, StepTrajectory& to) {
  const auto steps = static_cast<int64_t>(right.front()[sample].size());
  int64_t first = steps;
  for (const auto& of_hint : right) first = std::min(first, first_wrong_step(of_hint[sample]));
  for (size_t h = 0; h < right.size(); ++h) {
    const std::vector<double>& parts = right[h][sample];
    for (int64_t place = 0; place < kPlaces; ++place) {
      to.hints[h].right[place] += parts[step_at(place, steps)];
    }
    if (first < steps && parts[first] < 1) ++to.hints[h].first_wrong;
  }
  for (int64_t place = 0; place < kPlaces; ++place) {
    to.intact[place] += step_at(place, steps) < first ? 1 : 0;
  }
  ++to.samples;
}

}  // namespace

StepTrajectory follow_steps(ClrsModel& model, const Recipe& recipe, const ClrsDataConfig& config) {
  if (model->config().hints != HintMode::kTransitions) {
    throw InputError("probe: the model takes no steps; wanted model.hints = transitions");
  }
  torch::NoGradGuard no_grad;
  model->eval();
  JudgedSet set(recipe, config, Hints::kTrajectories, /*random_positions=*/false, 0,
                recipe.samples);
  StepTrajectory followed;
  for (const Probe& probe : set.spec().of(Stage::kHint)) {
    followed.hints.push_back({probe.name, std::vector<double>(kPlaces, 0)});
  }
  followed.intact.assign(kPlaces, 0);
  for (int64_t done = 0; done < recipe.samples; done += kTrajectoriesAtOnce) {
    const BatchTensors batch = set.next(std::min(kTrajectoriesAtOnce, recipe.samples - done));
    const RightParts right = right_parts(model, set.spec(), batch);
    for (size_t sample = 0; sample < right.front().size(); ++sample) {
      add_sample(right, sample, followed);
    }
  }
  const auto samples = static_cast<double>(followed.samples);
  for (auto& of_hint : followed.hints) {
    for (double& part : of_hint.right) part /= samples;
  }
  for (double& part : followed.intact) part /= samples;
  return followed;
}

std::string step_trajectory_svg(const StepTrajectory& followed, const Recipe& recipe) {
  PlotPanel hints{"hints", {"% of the algorithm's steps"}, {"% of entries right"}, {}};
  for (const auto& of_hint : followed.hints) {
    hints.series.push_back(series_by_place(
        fmt::format("{} (first wrong in {})", of_hint.name, of_hint.first_wrong), of_hint.right));
  }
  const PlotPanel samples{"samples",
                          {"% of the algorithm's steps"},
                          {"% without an error so far"},
                          {series_by_place("all hints right", followed.intact)}};
  return plot_svg(fmt::format("{}, length {}: {} rollouts beside the algorithm",
                              recipe.algorithm->name, recipe.sampler.length, followed.samples),
                  {hints, samples});
}

}  // namespace floydnet::clrs
