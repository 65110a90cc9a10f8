// Axes of plots: which values can be shown, where they stand, and which are marked.
#pragma once

#include <string>
#include <vector>

namespace floydnet {

struct PlotAxis {
  std::string label;
  bool logarithmic = false;
  /// Where the ticks stand; chosen to suit the data unless given.
  std::vector<double> ticks = {};
};

/// Finite, of a size that can be computed with, and positive on a logarithmic axis.
bool can_show(double value, const PlotAxis& axis);

/// From values to places between 0 and 1.
class Scale {
 public:
  /// Holds all `values` that can be shown, and the axis's ticks, with some room around them.
  Scale(const PlotAxis& axis, std::vector<double> values);

  double operator()(double value) const { return (place(value) - low_) / (high_ - low_); }
  /// The axis's own ticks, or some that are round.
  std::vector<double> ticks() const;
  /// What stands at 0 and 1; on a logarithmic axis its power of ten.
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double place(double value) const;
  std::vector<double> log_ticks() const;

  PlotAxis axis_;
  double low_ = 0, high_ = 1;
};

/// Short: 0.25, 2000, 20k, 1.5M, 3e-5.
std::string tick_text(double value);

}  // namespace floydnet
