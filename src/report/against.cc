#include "report/against.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "floydnet/error.h"
#include "report/compare.h"

namespace floydnet::report {
namespace {

double setting_of(const RunRecord& run, const std::string& key) {
  const nlohmann::json* value = &run.config;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('.', begin), key.size());
    const auto found = value->find(key.substr(begin, end - begin));
    if (!value->is_object() || found == value->end()) {
      throw InputError::in(run.folder, fmt::format("has no setting '{}'", key));
    }
    value = &*found;
    begin = end + 1;
  }
  if (!value->is_number()) {
    throw InputError::in(run.folder, fmt::format("its setting '{}' is not a number", key));
  }
  return value->get<double>();
}

/// Values that grow by factors, as depths and sizes of data do, have even distances on a
/// logarithmic axis; a few of them are ticks.
void suit_axis(PlotPanel* panel) {
  std::set<double> values;
  for (const PlotSeries& series : panel->series) {
    for (const auto& [x, y] : series.points) values.insert(x);
  }
  panel->x.logarithmic = *values.begin() > 0 && *values.rbegin() >= 4 * *values.begin();
  constexpr size_t kMostTicks = 8;
  if (values.size() <= kMostTicks) panel->x.ticks.assign(values.begin(), values.end());
}

PlotSeries mean_series(const std::vector<RunRecord>& runs, const Measure& measure,
                       const std::string& key) {
  struct Sum {
    double value = 0;
    int64_t runs = 0;
  };
  std::map<double, Sum> sums;
  for (const RunRecord& run : runs) {
    const double x = setting_of(run, key);
    const auto value = run.results ? final_value(run, measure) : std::nullopt;
    if (!value) continue;
    sums[x].value += *value;
    ++sums[x].runs;
  }
  PlotSeries series = {measure.split, {}};
  for (const auto& [x, sum] : sums) {
    series.points.emplace_back(x, sum.value / static_cast<double>(sum.runs));
  }
  return series;
}

}  // namespace

std::vector<PlotPanel> panels_against(const std::vector<RunRecord>& runs, const std::string& key) {
  std::map<std::string, PlotPanel> panels;
  for (const Measure& measure : measures(runs)) {
    if (std::none_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
          return run.log.goal && run.log.goal->metric == measure.metric;
        })) {
      continue;
    }
    PlotSeries series = mean_series(runs, measure, key);
    if (series.points.empty()) continue;
    PlotPanel& panel = panels[measure.metric];
    panel.title = fmt::format("{} against {}", measure.metric, key);
    panel.x.label = key;
    panel.series.push_back(std::move(series));
  }
  std::vector<PlotPanel> all;
  for (auto& [metric, panel] : panels) {
    suit_axis(&panel);
    all.push_back(std::move(panel));
  }
  return all;
}

}  // namespace floydnet::report
