#include "tasks/clrs/seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "floydnet/error.h"
#include "record/run.h"
#include "tasks/clrs/published.h"

namespace floydnet::clrs {
namespace {

using record::Cell;
using record::Table;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Of a sample; of one value there is none.
Cell deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return {};
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

class Runs {
 public:
  explicit Runs(const std::vector<JudgedRun>& runs) {
    for (const JudgedRun& run : runs) {
      seeds_.insert(run.seed);
      if (!runs_[run.algorithm].emplace(run.seed, &run).second) {
        throw InputError(fmt::format("two runs of {} have seed {}", run.algorithm, run.seed));
      }
    }
  }

  std::vector<Cell> cells(const Chosen& chosen) const {
    std::vector<double> scores, wholes;
    double minutes = 0;
    for (const int64_t seed : seeds_) {
      std::vector<double> score, whole;
      for (const Algorithm* algorithm : chosen) {
        const JudgedRun* run = find(algorithm->name, seed);
        if (run == nullptr) return {{}, {}, {}, {}, {}};
        score.push_back(run->score);
        whole.push_back(run->whole);
        minutes += run->cpu_minutes / static_cast<double>(seeds_.size());
      }
      scores.push_back(mean_of(score));
      wholes.push_back(mean_of(whole));
    }
    if (scores.empty()) return {{}, {}, {}, {}, {}};
    const Cell hints =
        chosen.size() == 1 ? Cell(find(chosen.front()->name, *seeds_.begin())->hints) : Cell();
    return {mean_of(scores), deviation_of(scores), mean_of(wholes), hints, minutes};
  }

 private:
  const JudgedRun* find(const std::string& algorithm, int64_t seed) const {
    const auto of_algorithm = runs_.find(algorithm);
    if (of_algorithm == runs_.end()) return nullptr;
    const auto found = of_algorithm->second.find(seed);
    return found == of_algorithm->second.end() ? nullptr : found->second;
  }

  std::set<int64_t> seeds_;
  std::map<std::string, std::map<int64_t, const JudgedRun*>> runs_;
};

}  // namespace

JudgedRun read_judged_run(const std::string& folder) {
  const record::RunRecord record = record::read_run(folder);
  if (!record.results) throw InputError::in(folder, "the run is not over");
  const std::string file = folder + "/test.json";
  JudgedRun run;
  try {
    const nlohmann::json test = nlohmann::json::parse(read_file(file)).at("test");
    run.score = test.at("score");
    run.whole = test.at("whole");
  } catch (const nlohmann::json::exception&) {
    throw InputError::in(
        file, "wanted what 'floydnet eval RUN --lengths 64 --set data.test_seed=3 --json' prints");
  }
  try {
    run.algorithm = record.config.at("data").at("algorithm");
    run.hints = record.config.at("model").at("hints");
    run.seed = record.config.at("train").at("seed");
  } catch (const nlohmann::json::exception&) {
    throw InputError::in(folder, "not a run of task clrs");
  }
  run.cpu_minutes = record.results->cpu_seconds / 60;
  return run;
}

Table seeds_table(const std::vector<JudgedRun>& runs) {
  const Runs by_seed(runs);
  return table_beside_published(kBenchmarkTitle, {"mean", "deviation", "whole", "hints", "CPU min"},
                                [&](const Chosen& chosen) { return by_seed.cells(chosen); });
}

Table comparison_table(const std::vector<std::pair<std::string, JudgedRun>>& runs) {
  Table table;
  table.title = kBenchmarkTitle;
  table.columns = {"algorithm"};
  std::map<std::string, std::map<std::string, std::vector<double>>> scores;  // algorithm, name
  for (const auto& [name, run] : runs) {
    if (std::find(table.columns.begin() + 1, table.columns.end(), name) == table.columns.end()) {
      table.columns.push_back(name);
    }
    scores[run.algorithm][name].push_back(run.score);
  }
  const size_t names = table.columns.size() - 1;
  std::vector<std::vector<double>> complete(names);
  for (const auto& [algorithm, by_name] : scores) {
    std::vector<Cell> row = {algorithm};
    for (size_t i = 0; i < names; ++i) {
      const auto found = by_name.find(table.columns[i + 1]);
      row.push_back(found == by_name.end() ? Cell() : Cell(mean_of(found->second)));
      if (by_name.size() == names) complete[i].push_back(std::get<double>(row.back()));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<Cell> means = {fmt::format("mean of {}", complete[0].size())};
  for (const std::vector<double>& of_name : complete) {
    means.push_back(of_name.empty() ? Cell() : Cell(mean_of(of_name)));
  }
  table.rows.push_back(std::move(means));
  return table;
}

}  // namespace floydnet::clrs
