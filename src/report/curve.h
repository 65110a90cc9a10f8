// Curves of runs, made fit to be drawn: few points for many, and noise smoothed.
#pragma once

#include <cstddef>
#include <vector>

namespace floydnet::report {

struct CurvePoint {
  double step = 0;
  double seconds = 0;
  double value = 0;
};
using Curve = std::vector<CurvePoint>;

/// At most about `limit` of the points, evenly chosen, the first and the last among them. Those
/// whose value is not finite are left out.
Curve thinned(const Curve& curve, size_t limit);

struct SmoothedCurve {
  Curve smooth;
  /// The extremes that were smoothed over, cut where they lie far beyond most others; empty if
  /// there are too few points to smooth.
  Curve raw;
};

/// A mean with the weights of a bell curve, whose standard deviation is 1.5 % of the run.
SmoothedCurve smoothed(const Curve& curve, size_t limit);

}  // namespace floydnet::report
