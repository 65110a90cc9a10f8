#include "tasks/tsp/edges/judged_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace floydnet::tsp {
namespace {

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

/// The shortest tour that strict decoding gives of the first samples.
std::optional<Length> shortest_valid(const JudgedInstance& one, std::size_t samples) {
  std::optional<Length> best;
  for (std::size_t s = 0; s < samples; ++s) {
    const JudgedSample& sample = one.samples[s];
    if (sample.kind == Decoded::kTour && (!best || sample.strict < *best)) best = sample.strict;
  }
  return best;
}

bool has_optimum(const JudgedInstance& one, std::size_t samples) {
  const std::optional<Length> best = shortest_valid(one, samples);
  return best && *best <= one.optimum;
}

/// Of 1, 5 and 10, the numbers of samples that all instances have.
std::vector<std::size_t> sample_counts(const std::vector<JudgedInstance>& instances) {
  std::vector<std::size_t> counts;
  for (const std::size_t count : {1, 5, 10}) {
    if (std::all_of(instances.begin(), instances.end(),
                    [&](const JudgedInstance& one) { return one.samples.size() >= count; })) {
      counts.push_back(count);
    }
  }
  return counts;
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

record::Table judged_table(const std::vector<JudgedInstance>& instances) {
  const std::vector<std::size_t> bests = sample_counts(instances);
  record::Table table;
  table.title = "Strict decoding, in percent";
  table.columns = {"cities", "instances"};
  for (const std::size_t best : bests) table.columns.push_back(fmt::format("optimal of {}", best));
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
    for (const auto length : {&JudgedSample::merged, &JudgedSample::repaired}) {
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

record::Table detailed_table(const std::vector<JudgedInstance>& instances) {
  record::Table table;
  table.title = "Shortest valid tour, in percent";
  table.columns = {"cities", "samples", "valid", "optimal", "gap", "gap to LK", "seconds"};
  for (const auto& [cities, group] : by_cities(instances)) {
    for (const std::size_t samples : sample_counts(instances)) {
      Group valid;
      std::copy_if(group.begin(), group.end(), std::back_inserter(valid),
                   [&](const JudgedInstance* one) { return shortest_valid(*one, samples); });
      const auto mean_gap = [&](const std::function<Length(const JudgedInstance&)>& to) {
        if (valid.empty()) return record::Cell();
        return record::Cell(mean(valid, [&](const JudgedInstance& one) {
          return gap(*shortest_valid(one, samples), to(one));
        }));
      };
      table.rows.push_back(
          {int64_t{cities}, static_cast<int64_t>(samples),
           share(group, [&](const auto& one) { return shortest_valid(one, samples).has_value(); }),
           share(group, [&](const auto& one) { return has_optimum(one, samples); }),
           mean_gap([](const JudgedInstance& one) { return one.optimum; }),
           mean_gap([](const JudgedInstance& one) { return one.baselines.lk; }),
           mean(group, [&](const JudgedInstance& one) {
             return one.seconds * static_cast<double>(samples);
           })});
    }
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

}  // namespace floydnet::tsp
