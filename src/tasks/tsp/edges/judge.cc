#include "tasks/tsp/edges/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "report/plot.h"
#include "tasks/tsp/solver/lin_kernighan.h"

namespace floydnet::tsp {
namespace {

Length repaired_length(const Instance& instance, const Tour& start) {
  LinKernighanOptions options;
  options.start = start;
  return lin_kernighan(instance, options).length;
}

using Group = std::vector<const JudgedInstance*>;

std::map<int, Group> by_cities(const std::vector<JudgedInstance>& instances) {
  std::map<int, Group> groups;
  for (const JudgedInstance& instance : instances) groups[instance.cities].push_back(&instance);
  return groups;
}

/// In percent of the instances.
double share(const Group& group, const std::function<bool(const JudgedInstance&)>& holds) {
  const auto count = std::count_if(group.begin(), group.end(),
                                   [&](const JudgedInstance* one) { return holds(*one); });
  return 100.0 * static_cast<double>(count) / static_cast<double>(group.size());
}

double mean(const Group& group, const std::function<double(const JudgedInstance&)>& of) {
  double sum = 0;
  for (const JudgedInstance* one : group) sum += of(*one);
  return sum / static_cast<double>(group.size());
}

/// In percent above the optimum.
double gap(Length length, Length optimum) {
  if (optimum == 0) return length == 0 ? 0 : std::numeric_limits<double>::infinity();
  return 100.0 * (static_cast<double>(length) / static_cast<double>(optimum) - 1);
}

bool has_optimum(const JudgedInstance& one, std::size_t samples) {
  return std::any_of(one.samples.begin(),
                     one.samples.begin() + static_cast<std::ptrdiff_t>(samples),
                     [&](const JudgedSample& sample) {
                       return sample.kind == Decoded::kTour && sample.strict <= one.optimum;
                     });
}

/// The shortest of what all samples became.
Length shortest(const JudgedInstance& one, Length JudgedSample::*length) {
  Length best = std::numeric_limits<Length>::max();
  for (const JudgedSample& sample : one.samples) best = std::min(best, sample.*length);
  return best;
}

/// Of all samples, the part that is such.
double part_of_samples(const JudgedInstance& one,
                       const std::function<bool(const JudgedSample&)>& holds) {
  const auto count = std::count_if(one.samples.begin(), one.samples.end(), holds);
  return 100.0 * static_cast<double>(count) / static_cast<double>(one.samples.size());
}

}  // namespace

JudgedSample judge_sample(const Instance& instance, const Tour& optimal, const float* scores) {
  const StrictDecoding decoding = decode_strictly(scores, instance.cities(), optimal);
  JudgedSample judged;
  judged.kind = decoding.kind;
  if (decoding.kind == Decoded::kTour) judged.strict = tour_length(instance, decoding.tour);
  judged.f1 = f1_score(decoding, instance.cities());
  const Tour greedy = decode_greedily(instance, scores);
  judged.greedy = tour_length(instance, greedy);
  judged.repaired = repaired_length(instance, greedy);
  return judged;
}

Baselines make_baselines(const Instance& instance, std::uint64_t seed, double seconds) {
  const auto lk = [&](std::int64_t kicks, double time_limit) {
    LinKernighanOptions options;
    options.seed = seed;
    options.kicks = kicks;
    options.time_limit = time_limit;
    return lin_kernighan(instance, options).length;
  };
  constexpr double kForEver = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kMostKicks = 1'000'000'000;
  const Tour prior = decode_greedily(instance, nearness_scores(instance).data());
  return {lk(0, kForEver),
          lk(instance.cities(), kForEver),
          lk(10 * instance.cities(), kForEver),
          lk(kMostKicks, seconds),
          tour_length(instance, prior),
          repaired_length(instance, prior)};
}

record::Table judged_table(const std::vector<JudgedInstance>& instances) {
  std::size_t samples = std::numeric_limits<std::size_t>::max();
  for (const JudgedInstance& one : instances) samples = std::min(samples, one.samples.size());
  record::Table table;
  table.title = "Strict decoding, in percent";
  table.columns = {"cities", "instances"};
  std::vector<std::size_t> bests;
  for (const std::size_t best : {1, 5, 10}) {
    if (best > samples && best > 1) continue;
    bests.push_back(best);
    table.columns.push_back(fmt::format("optimal of {}", best));
  }
  for (const char* column : {"valid", "incomplete", "cycles", "too long", "F1", "merged gap",
                             "repaired gap", "repaired optimal", "s a sample"}) {
    table.columns.emplace_back(column);
  }
  for (const auto& [cities, group] : by_cities(instances)) {
    std::vector<record::Cell> row = {int64_t{cities}, static_cast<int64_t>(group.size())};
    for (const std::size_t best : bests) {
      row.emplace_back(share(group, [&](const auto& one) { return has_optimum(one, best); }));
    }
    const auto samples_that =
        [&](const std::function<bool(const JudgedInstance&, const JudgedSample&)>& holds) {
          row.emplace_back(mean(group, [&](const JudgedInstance& one) {
            return part_of_samples(one,
                                   [&](const JudgedSample& sample) { return holds(one, sample); });
          }));
        };
    samples_that([](const auto&, const auto& sample) { return sample.kind == Decoded::kTour; });
    samples_that(
        [](const auto&, const auto& sample) { return sample.kind == Decoded::kIncomplete; });
    samples_that(
        [](const auto&, const auto& sample) { return sample.kind == Decoded::kSeveralCycles; });
    samples_that([](const auto& one, const auto& sample) {
      return sample.kind == Decoded::kTour && sample.strict > one.optimum;
    });
    row.emplace_back(mean(group, [](const JudgedInstance& one) {
      double sum = 0;
      for (const JudgedSample& sample : one.samples) sum += sample.f1;
      return 100 * sum / static_cast<double>(one.samples.size());
    }));
    for (const auto length : {&JudgedSample::greedy, &JudgedSample::repaired}) {
      row.emplace_back(
          mean(group, [&](const auto& one) { return gap(shortest(one, length), one.optimum); }));
    }
    row.emplace_back(share(group, [](const auto& one) {
      return shortest(one, &JudgedSample::repaired) <= one.optimum;
    }));
    row.emplace_back(mean(group, [](const auto& one) { return one.seconds; }));
    table.rows.push_back(std::move(row));
  }
  return table;
}

record::Table baselines_table(const std::vector<JudgedInstance>& instances) {
  struct Baseline {
    const char* name;
    Length Baselines::*length;
  };
  constexpr Baseline kAll[] = {
      {"LK", &Baselines::lk},          {"LK 1N", &Baselines::lk_1},
      {"LK 10N", &Baselines::lk_10},   {"LK same time", &Baselines::lk_timed},
      {"nearness", &Baselines::prior}, {"nearness + LK", &Baselines::prior_repaired}};
  record::Table table;
  table.title = "Without a model: percent optimal, gap in percent";
  table.columns = {"cities"};
  for (const Baseline& baseline : kAll) {
    table.columns.emplace_back(baseline.name);
    table.columns.emplace_back("gap");
  }
  for (const auto& [cities, group] : by_cities(instances)) {
    std::vector<record::Cell> row = {int64_t{cities}};
    for (const Baseline& baseline : kAll) {
      row.emplace_back(share(group, [&](const JudgedInstance& one) {
        return one.baselines.*baseline.length <= one.optimum;
      }));
      row.emplace_back(mean(group, [&](const JudgedInstance& one) {
        return gap(one.baselines.*baseline.length, one.optimum);
      }));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string judged_svg(const std::vector<JudgedInstance>& instances, std::pair<int, int> trained) {
  const record::Table strict = judged_table(instances), others = baselines_table(instances);
  const auto series = [](const record::Table& table, const std::string& column,
                         const std::string& name) {
    PlotSeries line = {name, {}};
    const auto place = std::find(table.columns.begin(), table.columns.end(), column);
    if (place == table.columns.end()) return line;
    for (const auto& row : table.rows) {
      line.points.emplace_back(std::get<int64_t>(row[0]),
                               std::get<double>(row[place - table.columns.begin()]));
    }
    return line;
  };
  PlotPanel optimal = {"optimal tours", {"cities"}, {"% of instances"}, {}};
  for (const int best : {1, 5, 10}) {
    const std::string column = fmt::format("optimal of {}", best);
    optimal.series.push_back(series(strict, column, column));
  }
  for (const char* column : {"LK", "LK 10N", "nearness + LK"}) {
    optimal.series.push_back(series(others, column, column));
  }
  PlotPanel decoded = {"samples", {"cities"}, {"%"}, {}};
  for (const char* column : {"valid", "too long", "cycles", "incomplete", "F1"}) {
    decoded.series.push_back(series(strict, column, column));
  }
  for (PlotPanel* panel : {&optimal, &decoded}) {
    const auto is_empty = [](const PlotSeries& one) { return one.points.empty(); };
    panel->series.erase(std::remove_if(panel->series.begin(), panel->series.end(), is_empty),
                        panel->series.end());
    if (trained.second > 0) panel->shaded = {trained.first, trained.second};
  }
  return plot_svg(trained.second > 0
                      ? fmt::format("Sampled tours; trained with {} to {} cities (shaded)",
                                    trained.first, trained.second)
                      : "Sampled tours",
                  {optimal, decoded});
}

}  // namespace floydnet::tsp
