#include "tasks/tsp/edges/judged_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/plot.h"
#include "tasks/tsp/edges/judged_tables.h"

namespace floydnet::tsp {

namespace {

PlotSeries series_of(const record::Table& table, const std::string& column) {
  PlotSeries line = {column, {}};
  const auto place = std::find(table.columns.begin(), table.columns.end(), column);
  if (place == table.columns.end()) return line;
  for (const auto& row : table.rows) {
    line.points.emplace_back(std::get<int64_t>(row[0]),
                             std::get<double>(row[place - table.columns.begin()]));
  }
  return line;
}

PlotPanel panel_of(const std::string& title, const std::string& unit,
                   std::vector<PlotSeries> series, TrainedSizes trained) {
  series.erase(std::remove_if(series.begin(), series.end(),
                              [](const PlotSeries& one) { return one.points.empty(); }),
               series.end());
  PlotPanel panel = {title, {"cities"}, {unit}, std::move(series)};
  if (trained.second > 0) panel.shaded = {trained.first, trained.second};
  return panel;
}

}  // namespace

std::vector<PlotPanel> judged_panels(const std::vector<JudgedInstance>& instances,
                                     TrainedSizes trained) {
  const record::Table strict = judged_table(instances), others = baselines_table(instances);
  std::vector<PlotSeries> optimal, decoded;
  for (const char* column : {"optimal of 1", "optimal of 5", "optimal of 10"}) {
    optimal.push_back(series_of(strict, column));
  }
  for (const char* column : {"LK", "LK 10N", "nearness + LK"}) {
    optimal.push_back(series_of(others, column));
  }
  for (const char* column : {"valid", "too long", "cycles", "incomplete"}) {
    decoded.push_back(series_of(strict, column));
  }
  return {panel_of("Optimal tours", "% of instances", optimal, trained),
          panel_of("What samples are", "% of samples", decoded, trained),
          panel_of("F1 of edges beside optimal tours", "%",
                   {series_of(strict, "F1"), series_of(strict, "optimal of 1")}, trained)};
}

std::string judged_svg(const std::vector<JudgedInstance>& instances, TrainedSizes trained) {
  return plot_svg(trained.second > 0
                      ? fmt::format("Sampled tours; trained with {} to {} cities (shaded)",
                                    trained.first, trained.second)
                      : "Sampled tours",
                  judged_panels(instances, trained));
}

}  // namespace floydnet::tsp
