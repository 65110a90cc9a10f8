#include "tasks/graphs/page/prediction_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tasks/graphs/metrics/size_groups.h"
#include "tasks/graphs/page/judged_entries.h"

namespace floydnet::graphs {
namespace {

constexpr size_t kMostDots = 800;
constexpr int kScoreBins = 10;
constexpr size_t kMostGroups = 8;
constexpr int64_t kMostClassesInTable = 24;
constexpr size_t kMostMistakes = 20;

int64_t columns_shown(const Predicted& p) { return std::min(p.target->width, kMostColumnsShown); }

std::string column_title(const Predicted& p, const std::string& what, int64_t column) {
  return p.target->width == 1 ? what : fmt::format("{}, column {}", what, column);
}

/// All labelled entries of a column.
template <typename Visit>
void for_each_of_column(const Predicted& p, int64_t column, const Visit& visit) {
  for (size_t g = 0; g + 1 < p.first_row.size(); ++g) {
    for_each_judged(p, g, [&](const JudgedEntry& entry) {
      if (entry.column == column) visit(entry);
    });
  }
}

/// Evenly by the size of the error, so that the largest is among them.
PlotPanel scatter_panel(const Predicted& p, int64_t column) {
  using Dot = std::pair<double, double>;
  std::vector<Dot> dots;
  for_each_of_column(p, column, [&](const JudgedEntry& entry) {
    if (std::isfinite(entry.said)) dots.emplace_back(entry.label, entry.said);
  });
  std::stable_sort(dots.begin(), dots.end(), [](const Dot& a, const Dot& b) {
    return std::fabs(a.first - a.second) < std::fabs(b.first - b.second);
  });
  PlotSeries series{"predictions", {}};
  series.scattered = true;
  const size_t shown = std::min(dots.size(), kMostDots);
  for (size_t i = 0; i < shown; ++i) {
    series.points.push_back(shown == 1 ? dots[0] : dots[i * (dots.size() - 1) / (shown - 1)]);
  }
  PlotPanel panel;
  panel.title = column_title(p, "Predicted against true", column);
  if (shown < dots.size()) panel.title += fmt::format(" ({} of {} shown)", shown, dots.size());
  panel.x.label = "true";
  panel.y.label = "predicted";
  panel.diagonal = true;
  panel.series = {series};
  return panel;
}

/// In percent of those with the same label, since one may be rare.
PlotPanel score_panel(const Predicted& p, int64_t column) {
  std::vector<double> counts[2] = {std::vector<double>(kScoreBins, 0),
                                   std::vector<double>(kScoreBins, 0)};
  for_each_of_column(p, column, [&](const JudgedEntry& entry) {
    const double yes = entry.said > 0 ? entry.probability : 1 - entry.probability;
    if (std::isnan(yes)) return;
    const int bin = std::min(static_cast<int>(yes * kScoreBins), kScoreBins - 1);
    ++counts[entry.label > 0 ? 1 : 0][static_cast<size_t>(bin)];
  });
  PlotPanel panel;
  panel.title = column_title(p, "Probability of yes by label", column);
  panel.x = {"probability of yes", false, {0, 0.2, 0.4, 0.6, 0.8, 1}};
  panel.y.label = "% of these";
  for (const int label : {1, 0}) {
    const double all = std::accumulate(counts[label].begin(), counts[label].end(), 0.0);
    PlotSeries series{fmt::format("true: {} ({:.0f})", label == 1 ? "yes" : "no", all), {}};
    for (size_t bin = 0; all > 0 && bin < kScoreBins; ++bin) {
      series.points.emplace_back((static_cast<double>(bin) + 0.5) / kScoreBins,
                                 100 * counts[label][bin] / all);
    }
    panel.series.push_back(series);
  }
  return panel;
}

record::Cell percentage(int64_t part, int64_t all) {
  if (all == 0) return {};
  return 100 * static_cast<double>(part) / static_cast<double>(all);
}

record::Table yes_no_table(const Predicted& p) {
  record::Table table = {
      "Right and wrong",
      {"column", "yes, said yes", "yes, said no", "no, said yes", "no, said no", "right %"},
      {}};
  for (int64_t column = 0; column < columns_shown(p); ++column) {
    int64_t counts[2][2] = {};
    for_each_of_column(p, column, [&counts](const JudgedEntry& entry) {
      ++counts[entry.label > 0 ? 1 : 0][entry.said > 0 ? 1 : 0];
    });
    const int64_t right = counts[1][1] + counts[0][0];
    const int64_t all = right + counts[1][0] + counts[0][1];
    table.rows.push_back(
        {column, counts[1][1], counts[1][0], counts[0][1], counts[0][0], percentage(right, all)});
  }
  return table;
}

/// How often each class (second) was said of each label (first).
std::map<std::pair<int64_t, int64_t>, int64_t> confusion_counts(const Predicted& p,
                                                                int64_t column) {
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for_each_of_column(p, column, [&](const JudgedEntry& entry) {
    ++counts[{static_cast<int64_t>(entry.label), static_cast<int64_t>(entry.said)}];
  });
  return counts;
}

record::Table class_table(const Predicted& p, int64_t column) {
  const int64_t classes = p.target->classes[static_cast<size_t>(column)];
  auto counts = confusion_counts(p, column);
  record::Table table = {
      column_title(p, "True classes against predicted ones", column), {"true"}, {}};
  for (int64_t said = 0; said < classes; ++said) table.columns.push_back(std::to_string(said));
  table.columns.emplace_back("right %");
  for (int64_t label = 0; label < classes; ++label) {
    std::vector<record::Cell> row = {label};
    int64_t all = 0;
    for (int64_t said = 0; said < classes; ++said) {
      row.emplace_back(counts[{label, said}]);
      all += counts[{label, said}];
    }
    row.push_back(percentage(counts[{label, label}], all));
    table.rows.push_back(std::move(row));
  }
  return table;
}

record::Table mistake_table(const Predicted& p, int64_t column) {
  record::Table table = {
      column_title(p, "Most frequent mistakes", column), {"true", "predicted", "times"}, {}};
  for (const auto& [classes, times] : confusion_counts(p, column)) {
    if (classes.first == classes.second) continue;
    table.rows.push_back({classes.first, classes.second, times});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return std::get<int64_t>(a[2]) > std::get<int64_t>(b[2]);
  });
  table.rows.resize(std::min(table.rows.size(), kMostMistakes));
  return table;
}

/// Errors of the graphs of one group, by column.
std::vector<std::vector<double>> errors_of(const Predicted& p, const SizeGroup& group) {
  std::vector<std::vector<double>> errors(static_cast<size_t>(columns_shown(p)));
  for (const size_t g : group.graphs) {
    for_each_judged(p, g, [&errors](const JudgedEntry& entry) {
      const auto column = static_cast<size_t>(entry.column);
      if (column < errors.size()) errors[column].push_back(entry.error);
    });
  }
  for (std::vector<double>& of_column : errors) std::sort(of_column.begin(), of_column.end());
  return errors;
}

/// Of errors from small to large; NaN of none.
double mean_of(const std::vector<double>& errors) {
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}
double quantile_of(const std::vector<double>& errors, double share) {
  if (errors.empty()) return std::nan("");
  return errors[static_cast<size_t>(share * static_cast<double>(errors.size() - 1))];
}

/// What is shown of each group, with names.
struct SizeColumns {
  std::vector<std::string> names;
  std::vector<SizeGroup> groups;
  std::vector<std::vector<double>> values;  // [groups, names]
};

SizeColumns size_columns(const Predicted& p) {
  SizeColumns found;
  const bool numbers = p.target->kind == TargetKind::kRegression;
  const bool single = p.target->width == 1;
  if (single) {
    found.names = numbers ? std::vector<std::string>{"mean error", "median", "90 % are below"}
                          : std::vector<std::string>{"wrong %"};
  } else {
    for (int64_t i = 0; i < columns_shown(p); ++i)
      found.names.push_back(fmt::format("column {}", i));
  }
  found.groups = size_groups(p.sizes, kMostGroups);
  for (const SizeGroup& group : found.groups) {
    const std::vector<std::vector<double>> errors = errors_of(p, group);
    std::vector<double> row;
    for (const std::vector<double>& of_column : errors) {
      row.push_back((numbers ? 1 : 100) * mean_of(of_column));
    }
    if (single && numbers) {
      row.push_back(quantile_of(errors[0], 0.5));
      row.push_back(quantile_of(errors[0], 0.9));
    }
    found.values.push_back(std::move(row));
  }
  return found;
}

std::string size_title(const Predicted& p) {
  if (p.target->kind != TargetKind::kRegression) return "Wrong predictions by size";
  return p.target->width == 1 ? "Error by size" : "Mean error by size";
}

}  // namespace

std::vector<PlotPanel> agreement_panels(const Predicted& p) {
  std::vector<PlotPanel> panels;
  if (p.target->kind == TargetKind::kClasses) return panels;
  for (int64_t column = 0; column < columns_shown(p); ++column) {
    panels.push_back(p.target->kind == TargetKind::kRegression ? scatter_panel(p, column)
                                                               : score_panel(p, column));
  }
  return panels;
}

std::vector<record::Table> confusion_tables(const Predicted& p) {
  if (p.target->kind == TargetKind::kRegression) return {};
  if (p.target->kind == TargetKind::kBinary) return {yes_no_table(p)};
  std::vector<record::Table> tables;
  for (int64_t column = 0; column < columns_shown(p); ++column) {
    const bool few = p.target->classes[static_cast<size_t>(column)] <= kMostClassesInTable;
    tables.push_back(few ? class_table(p, column) : mistake_table(p, column));
  }
  return tables;
}

PlotPanel size_panel(const Predicted& p) {
  const SizeColumns sizes = size_columns(p);
  PlotPanel panel;
  panel.title = size_title(p);
  panel.x.label = "nodes";
  panel.y.label = p.target->kind == TargetKind::kRegression ? "error" : "% wrong";
  if (sizes.groups.size() < 2) return panel;
  for (size_t i = 0; i < sizes.names.size(); ++i) {
    PlotSeries series{sizes.names[i], {}};
    for (size_t g = 0; g < sizes.groups.size(); ++g) {
      const SizeGroup& group = sizes.groups[g];
      series.points.emplace_back(static_cast<double>(group.smallest + group.largest) / 2,
                                 sizes.values[g][i]);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

record::Table size_table(const Predicted& p) {
  const SizeColumns sizes = size_columns(p);
  record::Table table = {size_title(p), {"nodes", "graphs"}, {}};
  table.columns.insert(table.columns.end(), sizes.names.begin(), sizes.names.end());
  for (size_t g = 0; g < sizes.groups.size(); ++g) {
    const SizeGroup& group = sizes.groups[g];
    std::vector<record::Cell> row = {group.smallest == group.largest
                                         ? std::to_string(group.smallest)
                                         : fmt::format("{} to {}", group.smallest, group.largest),
                                     static_cast<int64_t>(group.graphs.size())};
    for (const double value : sizes.values[g]) {
      row.emplace_back(value);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace floydnet::graphs
