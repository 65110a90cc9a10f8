#include "tasks/graphs/picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "floydnet/error.h"
#include "report/plot.h"

namespace floydnet::graphs {
namespace {

constexpr size_t kGroups = 20;

struct Point {
  double predicted, label;
};

/// Of the first column, by prediction; of yes or no, its probability.
std::vector<Point> sorted_points(const Predicted& p) {
  std::vector<Point> points;
  for (size_t i = 0; i < p.labels.size(); i += static_cast<size_t>(p.target->width)) {
    if (std::isnan(p.labels[i])) continue;
    const double said = p.values[i];
    const bool binary = p.target->kind == TargetKind::kBinary;
    points.push_back({binary ? 1 / (1 + std::exp(-said)) : said, p.labels[i]});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.predicted < b.predicted; });
  return points;
}

PlotPanel agreement_panel(const Predicted& p) {
  const std::vector<Point> points = sorted_points(p);
  if (points.empty()) throw InputError("there are no labels to draw predictions against");
  PlotSeries mean{"mean", {}}, low{"10 %", {}}, high{"90 %", {}}, equal{"prediction", {}};
  low.faint = high.faint = true;
  const size_t groups = std::min(kGroups, points.size());
  for (size_t g = 0; g < groups; ++g) {
    const size_t first = points.size() * g / groups, last = points.size() * (g + 1) / groups;
    const auto count = static_cast<double>(last - first);
    double predicted = 0, label = 0;
    std::vector<double> labels;
    for (size_t i = first; i < last; ++i) {
      predicted += points[i].predicted / count;
      label += points[i].label / count;
      labels.push_back(points[i].label);
    }
    std::sort(labels.begin(), labels.end());
    mean.points.emplace_back(predicted, label);
    equal.points.emplace_back(predicted, predicted);
    low.points.emplace_back(predicted, labels[(labels.size() - 1) / 10]);
    high.points.emplace_back(predicted, labels[(labels.size() - 1) * 9 / 10]);
  }
  PlotPanel panel;
  const bool numbers = p.target->kind == TargetKind::kRegression;
  panel.title = numbers ? "Labels by prediction" : "Fraction of yes by its probability";
  panel.x.label = "prediction";
  panel.y.label = numbers ? "label" : "fraction";
  panel.series = {mean, equal};
  if (numbers) panel.series.insert(panel.series.end(), {low, high});
  return panel;
}

PlotPanel size_panel(const Predicted& p) {
  PlotSeries series{"by size", {}};
  PlotPanel panel;
  panel.title = "By size of the graph";
  panel.x.label = "nodes";
  for (const SizeScore& score : scores_by_size(p)) {
    panel.y.label = score.metric;
    series.points.emplace_back(static_cast<double>(score.smallest + score.largest) / 2,
                               score.value);
  }
  panel.series = {series};
  return panel;
}

}  // namespace

std::string prediction_picture(const Predicted& predicted, const std::string& title) {
  std::vector<PlotPanel> panels;
  if (predicted.target->kind != TargetKind::kClasses) panels.push_back(agreement_panel(predicted));
  panels.push_back(size_panel(predicted));
  return plot_svg(title, panels);
}

}  // namespace floydnet::graphs
