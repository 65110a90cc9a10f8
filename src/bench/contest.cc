#include "bench/contest.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/child.h"
#include "bench/memory.h"
#include "floydnet/attention.h"

namespace floydnet::bench {
namespace {

nlohmann::json or_null(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// As wide as the format says, with '-' for nothing.
std::string cell(const std::optional<double>& value, int width, int decimals,
                 const char* unit = "") {
  if (!value) return fmt::format("{:>{}}", "-", width);
  return fmt::format("{:>{}}", fmt::format("{:.{}f}{}", *value, decimals, unit), width);
}

/// About three digits.
int decimals_for(double value) { return value < 10 ? 2 : value < 100 ? 1 : 0; }

std::string milliseconds(double seconds, int width) {
  return cell(1e3 * seconds, width, decimals_for(1e3 * seconds) + (seconds < 1e-3 ? 1 : 0));
}

std::string factor(const std::optional<double>& ratio, int width) {
  return cell(ratio, width, ratio ? decimals_for(*ratio) : 0, "x");
}

}  // namespace

std::optional<double> Result::ratio_against(Side side) const {
  const auto found = sides.find(side);
  if (found == sides.end()) return std::nullopt;
  return found->second.timing.min / fused().timing.min;
}

std::optional<double> Result::extra_mb_of(Side side) const {
  const auto found = sides.find(side);
  return found == sides.end() ? std::nullopt : found->second.extra_mb;
}

nlohmann::json Result::to_json() const {
  const auto ms_of = [this](Side side) {
    const auto found = sides.find(side);
    return found == sides.end() ? nlohmann::json(nullptr)
                                : nlohmann::json(1e3 * found->second.timing.min);
  };
  nlohmann::json json = {{"case", name},
                         {"direction", direction},
                         {"ms", ms_of(Side::kFused)},
                         {"median_ms", 1e3 * fused().timing.median},
                         {"runs", fused().timing.runs},
                         {"gflops", gflops()},
                         {"percent_of_peak", percent_of_peak()},
                         {"einsum_ms", ms_of(Side::kEinsum)},
                         {"naive_ms", ms_of(Side::kNaive)},
                         {"ratio_vs_einsum", or_null(ratio_against(Side::kEinsum))},
                         {"ratio_vs_naive", or_null(ratio_against(Side::kNaive))},
                         {"extra_mb", or_null(extra_mb_of(Side::kFused))},
                         {"einsum_extra_mb", or_null(extra_mb_of(Side::kEinsum))},
                         {"naive_extra_mb", or_null(extra_mb_of(Side::kNaive))},
                         {"threads", threads},
                         {"simd", simd},
                         {"load", load},
                         {"peak_gflops", 1e-9 * peak}};
  if (examples > 0) {
    json["examples_per_second"] = static_cast<double>(examples) / fused().timing.min;
  }
  return json;
}

Machine::Machine() : peak(0), load(0) {
  if (::getloadavg(&load, 1) != 1) load = 0;
  const PeakSide side = peak_side();
  MeasureOptions options;
  options.seconds = 0.1;
  peak = side.operations / measure({side.run}, options)[0].min;
}

Result hold(const Contest& contest, const MeasureOptions& options, Machine& machine) {
  Result result;
  result.name = contest.name;
  result.direction = contest.direction;
  result.flops = contest.flops;
  result.examples = contest.examples;
  result.threads = at::get_num_threads();
  result.simd = simd_target();
  result.load = machine.load;
  // The children first, while this process holds no data of the case.
  for (const Side side : contest.sides) {
    result.sides[side].extra_mb = number_from_child(child_arguments(contest.words(side)));
  }
  const std::vector<Work> works = contest.make_works();
  const PeakSide peak = peak_side();
  std::vector<std::function<void()>> runs = {peak.run};
  for (const Work& work : works) runs.emplace_back([&work] { work(); });
  const std::vector<Timing> timings = measure(runs, options);
  machine.peak = std::max(machine.peak, peak.operations / timings[0].min);
  result.peak = machine.peak;
  for (size_t i = 0; i < works.size(); ++i) {
    result.sides[contest.sides[i]].timing = timings[i + 1];
  }
  return result;
}

void print_heading(bool with_examples) {
  fmt::print("{:<24}{:<17}{:>8}{:>9}{:>9}{:>8}{:>11}{:>10}{:>10}{:>11}{}\n", "case", "direction",
             "ms", "median", "GFLOP/s", "% peak", "vs einsum", "vs naive", "extra MB", "einsum MB",
             with_examples ? "   examples/s" : "");
  std::fflush(stdout);
}

void print_row(const Result& r) {
  fmt::print("{:<24}{:<17}{}{}{:>9.1f}{:>8.1f}{}{}{}{}", r.name, r.direction,
             milliseconds(r.fused().timing.min, 8), milliseconds(r.fused().timing.median, 9),
             r.gflops(), r.percent_of_peak(), factor(r.ratio_against(Side::kEinsum), 11),
             factor(r.ratio_against(Side::kNaive), 10), cell(r.extra_mb_of(Side::kFused), 10, 1),
             cell(r.extra_mb_of(Side::kEinsum), 11, 1));
  if (r.examples > 0) {
    fmt::print("{:>13.0f}", static_cast<double>(r.examples) / r.fused().timing.min);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace floydnet::bench
