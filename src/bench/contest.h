// Runs the sides of a case against each other and says what came out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/work.h"

namespace floydnet::bench {

struct Contest {
  std::string name, direction;
  double flops = 0;      // of one run
  int64_t examples = 0;  // of one run, where there are any
  std::vector<Side> sides;
  /// The work of each side; inputs are made when it is called.
  std::function<std::vector<Work>()> make_works;
  /// The words of child.h that measure a side's memory.
  std::function<std::vector<std::string>(Side)> words;
};

struct SideResult {
  Timing timing;
  std::optional<double> extra_mb;
};

struct Result {
  std::string name, direction;
  double flops = 0, peak = 0;  // operations, and operations a second
  int64_t examples = 0;
  int threads = 1;
  std::string simd;
  double load = 0;  // average of the machine before the measurements began
  std::map<Side, SideResult> sides;

  const SideResult& fused() const { return sides.at(Side::kFused); }
  double gflops() const { return flops / fused().timing.min * 1e-9; }
  double percent_of_peak() const { return 100 * gflops() * 1e9 / peak; }
  /// How many times longer than ours it takes; nothing if it did not run.
  std::optional<double> ratio_against(Side side) const;
  std::optional<double> extra_mb_of(Side side) const;

  nlohmann::json to_json() const;
};

/// The machine, as it is before the first contest. The peak is the best that was seen until a
/// result: no kernel is credited with a moment in which the yardstick had the worse of it.
struct Machine {
  Machine();

  double peak;  // floating-point operations a second
  double load;
};

Result hold(const Contest& contest, const MeasureOptions& options, Machine& machine);

/// A table that grows by a row a result.
void print_heading(bool with_examples);
void print_row(const Result& result);

}  // namespace floydnet::bench
