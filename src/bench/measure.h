// Takes the time of several ways to do the same work, in turns.
//
// A busy neighbour slows down whoever runs at that moment. So all sides run in every round, and the
// minimum stands for what a side can do.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace floydnet::bench {

struct Timing {
  double min = 0, median = 0;  // seconds
  int64_t runs = 0;
};

struct MeasureOptions {
  int64_t warmup_rounds = 1;  // not counted
  int64_t rounds = 3;         // at least, and one in any case
  double seconds = 1;         // of counted rounds, at least
  /// A side whose run is shorter repeats it for so long before the next side's turn.
  double turn_seconds = 0.1;
  /// Seconds from any fixed moment; the steady clock unless given.
  std::function<double()> clock = {};
};

/// One timing a side.
std::vector<Timing> measure(const std::vector<std::function<void()>>& sides,
                            const MeasureOptions& options = {});

double steady_seconds();

/// Fused multiply-adds on registers, on all threads at once: a side to measure, and how many
/// floating-point operations a run of it does.
struct PeakSide {
  std::function<void()> run;
  double operations;
};
PeakSide peak_side();

/// The exponent b of y = a x^b that fits best in logarithms; needs two points of different x.
double growth_exponent(const std::vector<std::pair<double, double>>& points);

}  // namespace floydnet::bench
