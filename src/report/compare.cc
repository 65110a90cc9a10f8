#include "report/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <tuple>

namespace floydnet::report {
namespace {

using Json = nlohmann::json;

/// The parts of a path, without "." and the emptiness after a last slash.
std::vector<std::string> parts_of(const std::string& folder) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(folder).lexically_normal()) {
    if (!part.empty() && part != ".") parts.push_back(part.string());
  }
  if (parts.empty()) parts.push_back(folder);
  return parts;
}

std::string last_parts(const std::vector<std::string>& parts, size_t count) {
  std::string name;
  for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i) {
    if (!name.empty() && name != "/") name += '/';
    name += parts[i];
  }
  return name;
}

/// Of a TrainPoint or an Evaluation.
template <typename Point>
double seconds_by(Clock clock, const Point& point) {
  return clock == Clock::kCpu ? point.cpu_seconds : point.seconds;
}

int place_of_split(const std::string& split) {
  if (split == "train" || split == "training") return 0;
  if (split == "validation") return 1;
  return split == "test" ? 2 : 3;
}

/// A metric such as "node/cycle5" is a part of what others sum up, and stands behind them.
auto order_of(const Measure& measure) {
  const auto depth = std::count(measure.metric.begin(), measure.metric.end(), '/');
  return std::make_tuple(depth, measure.metric, place_of_split(measure.split), measure.split);
}

void flatten(const Json& json, const std::string& key, std::map<std::string, std::string>& found) {
  if (!json.is_object() || json.empty()) {
    found[key] = json.is_string() ? json.get<std::string>() : json.dump();
    return;
  }
  for (const auto& [name, value] : json.items()) {
    flatten(value, key.empty() ? name : key + "." + name, found);
  }
}

std::vector<Measure> measures_of(const RunRecord& run) {
  std::vector<Measure> found;
  const auto add = [&](const Metrics& metrics, const std::string& split) {
    for (const auto& item : metrics) found.push_back({item.first, split});
  };
  for (const Evaluation& evaluation : run.log.evaluations)
    add(evaluation.metrics, evaluation.split);
  if (run.results) {
    for (const auto& [split, metrics] : run.results->splits) add(metrics, split);
  }
  return found;
}

std::optional<Measure> goal_of(const RunRecord& run) {
  if (run.log.goal) return Measure{run.log.goal->metric, run.log.goal->split};
  const std::vector<Measure> all = measures_of(run);
  const auto rank = [](const Measure& measure) {
    return std::make_tuple(measure.split != "validation", measure);
  };
  const auto least =
      std::min_element(all.begin(), all.end(),
                       [&](const Measure& a, const Measure& b) { return rank(a) < rank(b); });
  return least == all.end() ? std::nullopt : std::optional(*least);
}

const CurvePoint* best_point(const RunRecord& run, const Curve& curve) {
  if (run.results && run.results->best_step) {
    const auto step = static_cast<double>(*run.results->best_step);
    for (const CurvePoint& point : curve) {
      if (point.step == step) return &point;
    }
  }
  if (!run.log.goal) return nullptr;
  const double sign = run.log.goal->higher_is_better ? -1 : 1;
  const CurvePoint* best = nullptr;
  for (const CurvePoint& point : curve) {
    if (std::isnan(point.value)) continue;
    if (best == nullptr || sign * point.value < sign * best->value) best = &point;
  }
  return best;
}

}  // namespace

std::vector<std::string> run_names(const std::vector<RunRecord>& runs) {
  std::vector<std::vector<std::string>> parts;
  for (const RunRecord& run : runs) parts.push_back(parts_of(run.folder));
  std::vector<std::string> names;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto ambiguous = [&](size_t count) {
      for (size_t j = 0; j < runs.size(); ++j) {
        if (j != i && last_parts(parts[j], count) == last_parts(parts[i], count)) return true;
      }
      return false;
    };
    size_t count = 1;
    while (count < parts[i].size() && ambiguous(count)) ++count;
    names.push_back(last_parts(parts[i], count));
  }
  return names;
}

bool Measure::operator<(const Measure& other) const { return order_of(*this) < order_of(other); }
bool Measure::operator==(const Measure& other) const {
  return metric == other.metric && split == other.split;
}

std::vector<Measure> measures(const std::vector<RunRecord>& runs) {
  std::vector<Measure> found, goals;
  for (const RunRecord& run : runs) {
    const std::vector<Measure> more = measures_of(run);
    found.insert(found.end(), more.begin(), more.end());
    if (run.log.goal) goals.push_back({run.log.goal->metric, run.log.goal->split});
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  const auto rank = [&](const Measure& measure) {
    int best = 2;
    for (const Measure& goal : goals) {
      if (measure == goal) best = 0;
      if (measure.metric == goal.metric) best = std::min(best, 1);
    }
    return best;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Measure& a, const Measure& b) { return rank(a) < rank(b); });
  return found;
}

Clock best_clock(const std::vector<RunRecord>& runs) {
  const auto has_cpu_time = [](const auto& points) {
    return std::all_of(points.begin(), points.end(),
                       [](const auto& point) { return std::isfinite(point.cpu_seconds); });
  };
  const bool all = std::all_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
    return has_cpu_time(run.log.train) && has_cpu_time(run.log.evaluations);
  });
  return all ? Clock::kCpu : Clock::kWall;
}

Curve measure_curve(const RunRecord& run, const Measure& measure, Clock clock) {
  Curve curve;
  for (const Evaluation& evaluation : run.log.evaluations) {
    const double* value = record::find(evaluation.metrics, measure.metric);
    if (evaluation.split != measure.split || value == nullptr) continue;
    curve.push_back({static_cast<double>(evaluation.step), seconds_by(clock, evaluation), *value});
  }
  return curve;
}

Curve train_curve(const RunRecord& run, double TrainPoint::*number, Clock clock) {
  Curve curve;
  for (const TrainPoint& point : run.log.train) {
    curve.push_back({static_cast<double>(point.step), seconds_by(clock, point), point.*number});
  }
  return curve;
}

std::optional<Reached> reached(const RunRecord& run) {
  const std::optional<Measure> measure = goal_of(run);
  if (!measure) return std::nullopt;
  const Curve curve = measure_curve(run, *measure, Clock::kWall);
  if (curve.empty()) return std::nullopt;
  const CurvePoint* best = best_point(run, curve);
  const CurvePoint& shown = best != nullptr ? *best : curve.back();
  return Reached{*measure, shown.value, static_cast<int64_t>(shown.step), best != nullptr};
}

std::optional<double> final_value(const RunRecord& run, const Measure& measure) {
  if (run.results) {
    const Metrics* metrics = record::find(run.results->splits, measure.split);
    const double* value = metrics != nullptr ? record::find(*metrics, measure.metric) : nullptr;
    return value != nullptr ? std::optional(*value) : std::nullopt;
  }
  const Curve curve = measure_curve(run, measure, Clock::kWall);
  if (curve.empty()) return std::nullopt;
  return curve.back().value;
}

int64_t steps_of(const RunRecord& run) {
  if (run.results) return run.results->step;
  int64_t steps = 0;
  if (!run.log.train.empty()) steps = run.log.train.back().step;
  if (!run.log.evaluations.empty()) steps = std::max(steps, run.log.evaluations.back().step);
  return steps;
}

double seconds_of(const RunRecord& run) {
  if (run.results) return run.results->seconds;
  double seconds = std::numeric_limits<double>::quiet_NaN();
  if (!run.log.train.empty()) seconds = run.log.train.back().seconds;
  if (!run.log.evaluations.empty()) {
    seconds = std::fmax(seconds, run.log.evaluations.back().seconds);
  }
  return seconds;
}

std::vector<Setting> config_differences(const std::vector<RunRecord>& runs) {
  std::map<std::string, std::vector<std::optional<std::string>>> all;
  for (size_t i = 0; i < runs.size(); ++i) {
    std::map<std::string, std::string> settings;
    flatten(runs[i].config, "", settings);
    for (const auto& [key, value] : settings) {
      all[key].resize(runs.size());
      all[key][i] = value;
    }
  }
  std::vector<Setting> different;
  for (const auto& [key, values] : all) {
    const bool same = std::all_of(values.begin(), values.end(),
                                  [&](const auto& value) { return value == values[0]; });
    if (!same) different.push_back({key, values});
  }
  return different;
}

}  // namespace floydnet::report
