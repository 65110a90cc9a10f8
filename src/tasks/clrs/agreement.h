// What pictures of trajectories have in common.
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "report/plot.h"

namespace floydnet::clrs {

/// Trajectories have different lengths; pictures show them at places from their beginning (0) to
/// their end.
constexpr int64_t kPlaces = 51;
/// The step, of so many, at a place.
int64_t step_at(int64_t place, int64_t steps);
/// A curve of parts, [places], in %.
PlotSeries series_by_place(std::string name, const std::vector<double>& parts);

/// Of n nodes and some n steps, with all their hints.
constexpr int64_t kTrajectoriesAtOnce = 8;

/// [samples]: the part of a sample's entries, or rows along the last axis, that are equal.
torch::Tensor equal_part(const torch::Tensor& a, const torch::Tensor& b, bool by_rows);

}  // namespace floydnet::clrs
