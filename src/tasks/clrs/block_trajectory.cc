#include "tasks/clrs/block_trajectory.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "floydnet/error.h"
#include "report/plot.h"
#include "tasks/clrs/agreement.h"
#include "tasks/clrs/metrics.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

/// Outputs and the hints that become them; places in the spec.
struct Tracked {
  int64_t output, hint;
};

std::vector<Tracked> tracked_outputs(const Spec& spec, const std::string& algorithm) {
  std::vector<Tracked> tracked;
  for (int64_t i = 0; i < spec.count(Stage::kOutput); ++i) {
    const int64_t output = spec.first(Stage::kOutput) + i;
    const std::string& name = spec.probes[output].name;
    std::string wanted = name + "_h";
    if (algorithm == "find_maximum_subarray_kadane") {
      wanted = name == "start" ? "best_low" : "best_high";
    }
    const int64_t hint = spec.find(Stage::kHint, wanted);
    if (hint < 0 || spec.probes[hint].type != spec.probes[output].type) {
      throw InputError(
          fmt::format("probe: {} has no hint that becomes its output {}", algorithm, name));
    }
    tracked.push_back({i, hint});
  }
  return tracked;
}

/// Each sample's hint at a place of its own trajectory.
Tensor hint_at(const Tensor& hints, const Tensor& sample_steps, int64_t place) {
  std::vector<Tensor> rows;
  for (int64_t sample = 0; sample < sample_steps.size(0); ++sample) {
    const int64_t step = step_at(place, sample_steps[sample].item<int64_t>());
    rows.push_back(hints[step][sample]);
  }
  return torch::stack(rows);
}

}  // namespace

BlockTrajectory follow_blocks(ClrsModel& model, const Recipe& recipe,
                              const ClrsDataConfig& config) {
  if (model->config().hints != HintMode::kNone) {
    throw InputError("probe: the model is stepped along the hints; wanted model.hints = none");
  }
  torch::NoGradGuard no_grad;
  model->eval();
  Recipe with_hints = recipe;
  with_hints.hints = true;
  JudgedSet set(with_hints, config, Hints::kAll, /*random_positions=*/false, 0, recipe.samples);
  const std::vector<Tracked> tracked = tracked_outputs(set.spec(), recipe.algorithm->name);
  BlockTrajectory probe;
  std::vector<Scores> scores;
  for (int64_t done = 0; done < recipe.samples; done += kTrajectoriesAtOnce) {
    const BatchTensors batch = set.next(std::min(kTrajectoriesAtOnce, recipe.samples - done));
    const auto by_block = model->outputs_by_block(batch);
    scores.resize(by_block.size(), Scores(set.spec()));
    probe.agreement.resize(by_block.size(), std::vector<double>(kPlaces, 0));
    for (size_t block = 0; block < by_block.size(); ++block) {
      scores[block].add(by_block[block], batch);
      for (const auto& [output, hint] : tracked) {
        const Probe& of = set.spec().probes[set.spec().first(Stage::kOutput) + output];
        const bool by_rows = of.type == Type::kMaskOne || of.type == Type::kCategorical;
        const Tensor predicted = hard_prediction(of, by_block[block][output]);
        for (int64_t place = 0; place < kPlaces; ++place) {
          const Tensor truth = hint_at(batch.values[hint], batch.sample_steps, place);
          probe.agreement[block][place] +=
              equal_part(predicted, truth, by_rows).sum().item<double>();
        }
      }
    }
  }
  const auto all = static_cast<double>(recipe.samples) * static_cast<double>(tracked.size());
  for (auto& of_block : probe.agreement) {
    for (double& value : of_block) value /= all;
  }
  for (const Scores& of_block : scores) probe.scores.push_back(of_block.mean());
  return probe;
}

std::string block_trajectory_svg(const BlockTrajectory& probe, const Recipe& recipe) {
  PlotPanel trajectory{
      "agreement with the trajectory", {"% of the algorithm's steps"}, {"% of entries equal"}, {}};
  PlotPanel score{"score", {"block"}, {"score, %"}, {{"after block", {}}}};
  for (size_t block = 0; block < probe.agreement.size(); ++block) {
    trajectory.series.push_back(
        series_by_place(fmt::format("block {}", block + 1), probe.agreement[block]));
    score.series[0].points.emplace_back(static_cast<double>(block + 1), 100 * probe.scores[block]);
  }
  return plot_svg(fmt::format("{}, length {}: outputs decoded after each block",
                              recipe.algorithm->name, recipe.sampler.length),
                  {trajectory, score});
}

}  // namespace floydnet::clrs
