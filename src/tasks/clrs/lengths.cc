#include "tasks/clrs/lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "record/run.h"
#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {
namespace {

using Json = nlohmann::json;

/// The length that a split "n=16" is of.
int64_t length_of(const std::string& split, const std::string& file) {
  int64_t length = 0;
  if (std::sscanf(split.c_str(), "n=%" SCNd64, &length) == 1 && length > 0) return length;
  throw InputError::in(file, fmt::format("{} is not a split such as n=16", in_quotes(split)));
}

/// The algorithms that runs are of, by category.
std::vector<std::pair<const Algorithm*, const ScoresByLength*>> in_order(
    const std::vector<ScoresByLength>& runs) {
  std::map<std::string, const ScoresByLength*> by_name;
  for (const ScoresByLength& run : runs) {
    if (!by_name.emplace(run.algorithm, &run).second) {
      throw InputError(fmt::format("two runs are of {}", run.algorithm));
    }
  }
  std::vector<std::pair<const Algorithm*, const ScoresByLength*>> ordered;
  for (const Algorithm& algorithm : algorithms()) {
    const auto found = by_name.find(algorithm.name);
    if (found != by_name.end()) ordered.emplace_back(&algorithm, found->second);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a.first->category < b.first->category;
  });
  return ordered;
}

std::set<int64_t> lengths_of(const std::vector<ScoresByLength>& runs) {
  std::set<int64_t> lengths;
  for (const ScoresByLength& run : runs) {
    for (const auto& [length, score] : run.scores) lengths.insert(length);
  }
  return lengths;
}

/// Over all runs that have a score at this length.
double mean_at(const std::vector<ScoresByLength>& runs, int64_t length) {
  double sum = 0;
  int64_t count = 0;
  for (const ScoresByLength& run : runs) {
    for (const auto& [at, score] : run.scores) {
      if (at != length) continue;
      sum += score;
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

}  // namespace

ScoresByLength read_scores_by_length(const std::string& folder) {
  const record::RunRecord record = record::read_run(folder);
  const std::string file = folder + "/lengths.json";
  ScoresByLength run;
  try {
    run.algorithm = record.config.at("data").at("algorithm");
  } catch (const Json::exception&) {
    throw InputError::in(folder, "not a run of task clrs");
  }
  find_algorithm(run.algorithm);
  try {
    const Json splits = Json::parse(read_file(file));
    for (const auto& [split, metrics] : splits.items()) {
      run.scores.emplace_back(length_of(split, file), metrics.at("score"));
    }
  } catch (const Json::exception&) {
    throw InputError::in(file, "wanted what 'floydnet eval RUN --lengths 16,32,64 --json' prints");
  }
  std::sort(run.scores.begin(), run.scores.end());
  return run;
}

record::Table lengths_table(const std::vector<ScoresByLength>& runs) {
  const std::set<int64_t> lengths = lengths_of(runs);
  record::Table table;
  table.title = "Scores in % by length";
  table.columns = {"algorithm"};
  for (const int64_t length : lengths) table.columns.push_back(fmt::format("n = {}", length));
  for (const auto& [algorithm, run] : in_order(runs)) {
    std::vector<record::Cell> row = {algorithm->name};
    for (const int64_t length : lengths) {
      const auto found = std::find_if(run->scores.begin(), run->scores.end(),
                                      [&](const auto& score) { return score.first == length; });
      row.push_back(found == run->scores.end() ? record::Cell() : record::Cell(found->second));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<record::Cell> means = {fmt::format("mean of {}", runs.size())};
  for (const int64_t length : lengths) means.emplace_back(mean_at(runs, length));
  table.rows.push_back(std::move(means));
  return table;
}

std::vector<PlotPanel> lengths_panels(const std::vector<ScoresByLength>& runs) {
  const std::set<int64_t> lengths = lengths_of(runs);
  PlotAxis by_length = {"length", /*logarithmic=*/true, {lengths.begin(), lengths.end()}};
  const PlotAxis in_percent = {"score in %", false, {0, 20, 40, 60, 80, 100}};
  std::vector<PlotPanel> panels;
  for (const auto& [algorithm, run] : in_order(runs)) {
    const std::string category = text(algorithm->category);
    if (panels.empty() || panels.back().title != category) {
      panels.push_back({category, by_length, in_percent, {}});
    }
    panels.back().series.push_back({algorithm->name, {run->scores.begin(), run->scores.end()}});
  }
  PlotSeries mean = {fmt::format("mean of {}", runs.size()), {}};
  for (const int64_t length : lengths) {
    mean.points.emplace_back(static_cast<double>(length), mean_at(runs, length));
  }
  panels.push_back({"all", by_length, in_percent, {mean}});
  return panels;
}

}  // namespace floydnet::clrs
