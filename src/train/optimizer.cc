#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace floydnet::train {

AdamW::AdamW(const FlatParameters& parameters, const TrainConfig& config)
    : parameters_(parameters),
      config_(config),
      mean_(torch::zeros_like(parameters.values())),
      square_(torch::zeros_like(parameters.values())),
      scratch_(torch::empty_like(parameters.values())) {}

void AdamW::step(double learning_rate) {
  torch::NoGradGuard no_grad;
  ++steps_;
  const torch::Tensor& values = parameters_.values();
  const torch::Tensor& gradients = parameters_.gradients();
  const auto count = static_cast<double>(steps_);
  const double mean_correction = 1 - std::pow(config_.beta1, count);
  const double square_correction = 1 - std::pow(config_.beta2, count);
  values.narrow(0, 0, parameters_.matrix_values()).mul_(1 - learning_rate * config_.weight_decay);
  mean_.lerp_(gradients, 1 - config_.beta1);
  square_.mul_(config_.beta2).addcmul_(gradients, gradients, 1 - config_.beta2);
  torch::sqrt_out(scratch_, square_).div_(std::sqrt(square_correction)).add_(config_.epsilon);
  values.addcdiv_(mean_, scratch_, -learning_rate / mean_correction);
}

Schedule::Schedule(const TrainConfig& config, const Goal& goal)
    : config_(config),
      goal_(goal),
      best_(goal.higher_is_better ? -std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::infinity()) {}

double Schedule::learning_rate(int64_t step, double progress) const {
  double factor = 1;
  if (config_.schedule == ScheduleKind::kCosine) {
    const double cosine = 0.5 * (1 + std::cos(M_PI * std::clamp(progress, 0.0, 1.0)));
    factor = config_.final_fraction + (1 - config_.final_fraction) * cosine;
  } else if (config_.schedule == ScheduleKind::kPlateau) {
    factor = plateau_scale_;
  }
  if (step < config_.warmup) {
    factor *= static_cast<double>(step + 1) / static_cast<double>(config_.warmup);
  }
  return config_.learning_rate * factor;
}

void Schedule::evaluated(double value) {
  if (goal_.better(value, best_)) {
    best_ = value;
    without_better_ = 0;
  } else if (++without_better_ > config_.plateau_patience) {
    plateau_scale_ = std::max(plateau_scale_ * config_.plateau_factor, config_.final_fraction);
    without_better_ = 0;
  }
}

nlohmann::json Schedule::state() const {
  // JSON has no infinity: what was never evaluated has no best.
  return {{"plateau_scale", plateau_scale_},
          {"best", std::isfinite(best_) ? nlohmann::json(best_) : nlohmann::json()},
          {"without_better", without_better_}};
}

void Schedule::set_state(const nlohmann::json& state) {
  plateau_scale_ = state.at("plateau_scale").get<double>();
  if (!state.at("best").is_null()) best_ = state.at("best").get<double>();
  without_better_ = state.at("without_better").get<int64_t>();
}

}  // namespace floydnet::train
