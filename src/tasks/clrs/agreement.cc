#include "tasks/clrs/agreement.h"

#include <torch/torch.h>

#include <cmath>
#include <utility>

namespace floydnet::clrs {
namespace {

/// Hints that are numbers are never predicted to the bit.
constexpr double kEqual = 1e-3;

double part_at(int64_t place) { return static_cast<double>(place) / (kPlaces - 1); }

}  // namespace

int64_t step_at(int64_t place, int64_t steps) {
  return std::lround(part_at(place) * static_cast<double>(steps - 1));
}

PlotSeries series_by_place(std::string name, const std::vector<double>& parts) {
  PlotSeries series{std::move(name), {}};
  for (int64_t place = 0; place < kPlaces; ++place) {
    series.points.emplace_back(100 * part_at(place), 100 * parts[place]);
  }
  return series;
}

torch::Tensor equal_part(const torch::Tensor& a, const torch::Tensor& b, bool by_rows) {
  torch::Tensor equal = (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs() < kEqual;
  if (by_rows) equal = equal.all(-1);
  return equal.to(torch::kFloat64).reshape({a.size(0), -1}).mean(1);
}

}  // namespace floydnet::clrs
