#include "bench/measure.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>

#include "floydnet/attention.h"
#include "kernels/peak.h"

namespace floydnet::bench {
namespace {

double median_of(std::vector<double> values) {
  const size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

int64_t run_fma_on_all_threads() {
  // Milliseconds: long against the start of threads, short against the neighbours' moods.
  constexpr int64_t kIterations = int64_t{1} << 20;
  std::atomic<int64_t> operations{0};
  at::parallel_for(0, at::get_num_threads(), 1, [&operations](int64_t begin, int64_t end) {
    for (int64_t thread = begin; thread < end; ++thread) {
      operations += kernels::run_fma_f32(kIterations);
    }
  });
  return operations;
}

}  // namespace

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::vector<Timing> measure(const std::vector<std::function<void()>>& sides,
                            const MeasureOptions& options) {
  if (sides.empty()) return {};
  const std::function<double()> clock = options.clock ? options.clock : steady_seconds;
  std::vector<std::vector<double>> times(sides.size());
  const auto take_turn = [&](size_t side) {
    const double turn_start = clock();
    double now = turn_start;
    do {
      const double start = now;
      sides[side]();
      now = clock();
      times[side].push_back(now - start);
    } while (now - turn_start < options.turn_seconds);
  };
  for (int64_t round = 0; round < options.warmup_rounds; ++round) {
    for (const auto& side : sides) side();
  }
  const double start = clock();
  int64_t round = 0;
  do {
    for (size_t side = 0; side < sides.size(); ++side) take_turn(side);
    ++round;
  } while (round < options.rounds || clock() - start < options.seconds);
  std::vector<Timing> timings;
  for (const auto& own : times) {
    timings.push_back({*std::min_element(own.begin(), own.end()), median_of(own),
                       static_cast<int64_t>(own.size())});
  }
  return timings;
}

PeakSide peak_side() {
  simd_target();  // a forced instruction set is the yardstick, too
  return {[] { run_fma_on_all_threads(); }, static_cast<double>(run_fma_on_all_threads())};
}

double growth_exponent(const std::vector<std::pair<double, double>>& points) {
  double mean_x = 0, mean_y = 0;
  for (const auto& [x, y] : points) {
    mean_x += std::log(x) / static_cast<double>(points.size());
    mean_y += std::log(y) / static_cast<double>(points.size());
  }
  double covariance = 0, variance = 0;
  for (const auto& [x, y] : points) {
    covariance += (std::log(x) - mean_x) * (std::log(y) - mean_y);
    variance += (std::log(x) - mean_x) * (std::log(x) - mean_x);
  }
  return variance > 0 ? covariance / variance : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace floydnet::bench
