#include "bench/suites.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory_limit.h"
#include "bench/child.h"
#include "bench/memory.h"
#include "console/status_line.h"
#include "floydnet/memory.h"
#include "report/plot.h"

namespace floydnet::bench {
namespace {

bool fits(double bytes, double limit) { return bytes <= limit * (1 << 30); }

std::vector<Side> fitting_sides(const AttentionCase& c, Direction direction, double limit) {
  std::vector<Side> sides;
  for (const Side side : kSides) {
    if (fits(c.extra_bytes(side, direction), limit)) sides.push_back(side);
  }
  return sides;
}

/// The plain block holds the scores of its attention, and so do all those of a network.
std::vector<Side> fitting_sides(const BlockCase& c, int64_t depth, double limit) {
  const AttentionCase attention = {2, c.batch, c.heads, c.dim / c.heads, c.nodes};
  const double extra = attention.extra_bytes(Side::kEinsum, Direction::kForwardBackward);
  std::vector<Side> sides = {Side::kFused};
  if (fits(static_cast<double>(depth) * extra, limit)) sides.push_back(Side::kEinsum);
  return sides;
}

/// All but what is to be done.
template <typename Case>
Contest contest_of(const Case& c, Direction direction, std::vector<Side> sides) {
  require_memory(c.name(), c.state_bytes());
  Contest contest;
  contest.name = c.name();
  contest.direction = name_of(direction);
  contest.flops = c.flops(direction);
  contest.sides = std::move(sides);
  contest.words = [c, direction](Side side) { return child_words(c, side, direction); };
  return contest;
}

Contest attention_contest(const AttentionCase& c, Direction direction, double memory_limit) {
  Contest contest = contest_of(c, direction, fitting_sides(c, direction, memory_limit));
  contest.make_works = [c, direction, sides = contest.sides] {
    const AttentionInputs inputs(c);
    std::vector<Work> works;
    for (const Side side : sides) works.push_back(attention_work(inputs, side, direction));
    return works;
  };
  return contest;
}

Contest block_contest(const BlockCase& c, Direction direction, double memory_limit) {
  Contest contest = contest_of(c, direction, fitting_sides(c, 1, memory_limit));
  contest.make_works = [c, direction, sides = contest.sides] {
    std::vector<Work> works;
    for (const Side side : sides) works.push_back(block_work(c, side, direction));
    return works;
  };
  return contest;
}

Contest train_contest(const TrainCase& c, double memory_limit) {
  require_memory(c.name(), static_cast<double>(c.depth) * c.block.state_bytes());
  Contest contest;
  contest.name = c.name();
  contest.direction = "step";
  contest.flops = c.flops();
  contest.examples = c.block.batch;
  contest.sides = fitting_sides(c.block, c.depth, memory_limit);
  contest.make_works = [c, sides = contest.sides] {
    std::vector<Work> works;
    for (const Side side : sides) works.push_back(train_work(c, side));
    return works;
  };
  contest.words = [c](Side side) { return child_words(c, side); };
  return contest;
}

std::vector<Result> hold_all(const std::vector<Contest>& contests, const SuiteOptions& options) {
  if (options.reuse_memory) {
    reuse_tensor_memory();
  } else {
    stop_reusing_tensor_memory();
  }
  Machine machine;
  StatusLine line;
  MeasureOptions measure_options;
  measure_options.seconds = options.seconds;
  std::vector<Result> results;
  for (const Contest& contest : contests) {
    if (line.on_terminal()) {
      line.show(fmt::format("[{}/{}] {} {}", results.size() + 1, contests.size(), contest.name,
                            contest.direction));
    }
    results.push_back(hold(contest, measure_options, machine));
    release_freed_memory();
    line.wipe();
    if (options.on_result) options.on_result(results.back());
  }
  return results;
}

}  // namespace

std::vector<Result> run_attention(const std::vector<AttentionCase>& cases,
                                  const SuiteOptions& options) {
  std::vector<Contest> contests;
  for (const AttentionCase& c : cases) {
    for (const Direction direction : options.directions) {
      contests.push_back(attention_contest(c, direction, options.memory_limit));
    }
  }
  return hold_all(contests, options);
}

std::vector<Result> run_block(const std::vector<BlockCase>& cases, const SuiteOptions& options) {
  std::vector<Contest> contests;
  for (const BlockCase& c : cases) {
    for (const Direction direction : options.directions) {
      contests.push_back(block_contest(c, direction, options.memory_limit));
    }
  }
  return hold_all(contests, options);
}

Result run_train_step(const TrainCase& of, const SuiteOptions& options) {
  return hold_all({train_contest(of, options.memory_limit)}, options).at(0);
}

std::vector<int64_t> scaling_nodes(int64_t max_nodes) {
  std::vector<int64_t> nodes;
  for (int64_t power = 64; power <= max_nodes; power *= 2) {
    nodes.push_back(power);
    if (power / 2 * 3 <= max_nodes) nodes.push_back(power / 2 * 3);
  }
  return nodes;
}

Growth fit_growth(const std::vector<int64_t>& nodes, const std::vector<Result>& results) {
  Growth growth;
  const auto fit = [](const std::vector<std::pair<double, double>>& points, Side side,
                      std::map<Side, double>& exponents) {
    if (points.size() > 1) exponents[side] = growth_exponent(points);
  };
  for (const Side side : kSides) {
    std::vector<std::pair<double, double>> times, megabytes;
    for (size_t i = 0; i < results.size(); ++i) {
      const auto found = results[i].sides.find(side);
      if (found == results[i].sides.end()) continue;
      const auto n = static_cast<double>(nodes.at(i));
      times.emplace_back(n, found->second.timing.min);
      const double extra = found->second.extra_mb.value_or(0);
      if (extra > 0) megabytes.emplace_back(n, extra);
    }
    fit(times, side, growth.time);
    fit(megabytes, side, growth.memory);
  }
  return growth;
}

Scaling run_scaling(const AttentionCase& of, int64_t max_nodes, const SuiteOptions& options) {
  Scaling scaling;
  scaling.nodes = scaling_nodes(max_nodes);
  std::vector<AttentionCase> cases;
  for (const int64_t n : scaling.nodes) {
    cases.push_back(of);
    cases.back().nodes = n;
  }
  SuiteOptions one_direction = options;
  one_direction.directions.resize(1);
  scaling.results = run_attention(cases, one_direction);
  scaling.growth = fit_growth(scaling.nodes, scaling.results);
  return scaling;
}

std::string plot_scaling(const AttentionCase& of, const Scaling& scaling) {
  const std::vector<double> ticks(scaling.nodes.begin(), scaling.nodes.end());
  PlotPanel time = {"runtime", {"nodes N", true, ticks}, {"milliseconds", true}, {}};
  PlotPanel memory = {"extra memory", {"nodes N", true, ticks}, {"MB", true}, {}};
  for (const Side side : kSides) {
    PlotSeries ms = {name_of(side), {}}, mb = {name_of(side), {}};
    for (size_t i = 0; i < scaling.results.size(); ++i) {
      const auto found = scaling.results[i].sides.find(side);
      if (found == scaling.results[i].sides.end()) continue;
      ms.points.emplace_back(ticks[i], 1e3 * found->second.timing.min);
      if (found->second.extra_mb) mb.points.emplace_back(ticks[i], *found->second.extra_mb);
    }
    if (ms.points.empty()) continue;
    time.series.push_back(ms);
    memory.series.push_back(mb);
  }
  const Result& any = scaling.results.at(0);
  return plot_svg(fmt::format("Pivotal Attention, k={} H{} d{}, {}, {} threads", of.order, of.heads,
                              of.dim, any.direction, any.threads),
                  {time, memory});
}

uint64_t signature(const AttentionCase& of) {
  require_memory(of.name(), of.state_bytes());
  return checksum(attention_work(AttentionInputs(of), Side::kFused, Direction::kForwardBackward)());
}

}  // namespace floydnet::bench
