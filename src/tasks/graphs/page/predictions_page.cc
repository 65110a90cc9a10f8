#include "tasks/graphs/page/predictions_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html_chart.h"
#include "report/html_document.h"
#include "report/markup.h"
#include "tasks/graphs/page/graph_drawing.h"
#include "tasks/graphs/page/judged_entries.h"
#include "tasks/graphs/page/prediction_figures.h"

namespace floydnet::graphs {
namespace {

using report::number_text;

constexpr size_t kMostCases = 8;
constexpr size_t kMostPairsDrawn = 60;
constexpr size_t kLongestName = 80;  // bytes
constexpr double kWeakPair = 0.5;    // as much as the largest error; less is not drawn

/// "no", "2, 97 %", "0.5": what was said, and how probable it was thought to be.
std::string said_text(const Target& target, const JudgedEntry& entry) {
  const double percent = 100 * entry.probability;
  switch (target.kind) {
    case TargetKind::kBinary:
      return fmt::format("{}, {:.0f}\u00a0%", entry.said > 0 ? "yes" : "no", percent);
    case TargetKind::kClasses:
      return fmt::format("{:.0f}, {:.0f}\u00a0%", entry.said, percent);
    case TargetKind::kRegression:
      break;
  }
  return fmt::format("{}, error {}", number_text(entry.said), number_text(entry.error));
}

std::string label_text(const Target& target, double label) {
  if (target.kind == TargetKind::kBinary) return label > 0 ? "yes" : "no";
  return number_text(label);
}

/// "node 3: ", "edge 0–3, column 2: "; nothing of the one column of a graph.
std::string place_text(const GraphSet& set, const Predicted& p, const JudgedEntry& entry) {
  std::string text;
  if (p.target->level == Level::kNode) text = fmt::format("node {}", entry.row);
  if (p.target->level == Level::kEdge || p.target->level == Level::kPair) {
    const auto [u, v] = ends_of(set, p, entry.graph, entry.row);
    const bool both_ways = p.target->level == Level::kEdge && !set.directed;
    text = fmt::format("{} {}{}{}", name_of(p.target->level), u, both_ways ? "–" : "→", v);
  }
  if (p.target->width > 1) {
    text += fmt::format("{}column {}", text.empty() ? "" : ", ", entry.column);
  }
  return text.empty() ? "" : text + ": ";
}

std::string entry_text(const GraphSet& set, const Predicted& p, const JudgedEntry& entry) {
  return fmt::format("{}true {}, predicted {}", place_text(set, p, entry),
                     label_text(*p.target, entry.label), said_text(*p.target, entry));
}

std::string case_text(const GraphSet& set, const Predicted& p, const JudgedGraph& judged) {
  const std::string worst = entry_text(set, p, judged.worst);
  if (p.target->level == Level::kGraph) return worst;
  if (p.target->kind != TargetKind::kRegression) {
    return fmt::format("{} of {} wrong; {}", judged.wrong, judged.entries, worst);
  }
  const bool single = p.target->width == 1;
  return fmt::format("mean error {}{}; {}",
                     number_text(single ? judged.mean_error : judged.mean_badness),
                     single ? "" : " deviations", worst);
}

/// How far off each row is: errors as parts of the largest, or 1 where something is wrong.
std::vector<std::pair<int64_t, double>> row_strengths(const Predicted& p, size_t graph) {
  const bool numbers = p.target->kind == TargetKind::kRegression;
  std::vector<std::pair<int64_t, double>> rows;
  double largest = 0;
  for_each_judged(p, graph, [&](const JudgedEntry& entry) {
    if (!(entry.error > 0) || std::isinf(entry.badness)) return;
    const double strength = numbers ? entry.badness : 1;
    largest = std::max(largest, strength);
    if (!rows.empty() && rows.back().first == entry.row) {
      rows.back().second = std::max(rows.back().second, strength);
    } else {
      rows.emplace_back(entry.row, strength);
    }
  });
  for (auto& [row, strength] : rows) strength /= largest;
  return rows;
}

/// The strongest pairs alone: all of them would hide the graph.
void keep_strong(std::vector<std::pair<Graph::Edge, double>>* pairs) {
  std::stable_sort(pairs->begin(), pairs->end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  size_t kept = 0;
  while (kept < std::min(pairs->size(), kMostPairsDrawn) && (*pairs)[kept].second >= kWeakPair) {
    ++kept;
  }
  pairs->resize(kept);
}

GraphMarks marks_of(const GraphSet& set, const Predicted& p, size_t graph) {
  GraphMarks marks;
  if (p.target->level == Level::kGraph) return marks;
  for (const auto& [row, strength] : row_strengths(p, graph)) {
    if (p.target->level == Level::kNode) {
      marks.nodes.emplace_back(static_cast<int32_t>(row), strength);
      continue;
    }
    const Graph::Edge ends = ends_of(set, p, graph, row);
    auto& marked = p.target->level == Level::kEdge ? marks.edges : marks.pairs;
    if (ends.first == ends.second) {
      marks.nodes.emplace_back(ends.first, strength);
    } else {
      marked.emplace_back(ends, strength);
    }
  }
  keep_strong(&marks.pairs);
  return marks;
}

/// Short enough for a caption; names may be as long as molecules are large.
std::string short_name(const std::string& name) {
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName) + "...";
}

std::string case_html(const GraphSet& set, const Predicted& p, const JudgedGraph& judged) {
  const int64_t graph = p.graphs[judged.graph];
  const std::string title = fmt::format("graph {}", graph);
  const std::string name =
      set.names.empty() ? "" : short_name(set.names[static_cast<size_t>(graph)]);
  const std::string text = case_text(set, p, judged);
  const std::string svg = graph_picture(set, graph, marks_of(set, p, judged.graph));
  return fmt::format(
      "<figure>\n<figcaption>{}{}</figcaption>\n<div class=\"views\">\n{}</div>\n"
      "<p class=\"pale\">{}</p>\n</figure>\n",
      title, name.empty() ? "" : " <small>" + escaped(name) + "</small>",
      svg.empty() ? fmt::format("<p>{} nodes are too many to draw.</p>\n", p.sizes[judged.graph])
                  : report::svg_image(svg, fmt::format("{} {}: {}", title, name, text)),
      escaped(text));
}

/// What the colour in the pictures means.
std::string marks_text(const Target& target) {
  if (target.level == Level::kGraph) return "";
  const bool numbers = target.kind == TargetKind::kRegression;
  if (target.level == Level::kPair) {
    return fmt::format("Dashed: {}, at most {} in a picture. ",
                       numbers ? "pairs with the largest errors" : "wrong pairs", kMostPairsDrawn);
  }
  return fmt::format("Coloured: {}. ", numbers ? fmt::format("{}s, the more the larger their error",
                                                             name_of(target.level))
                                               : fmt::format("wrong {}s", name_of(target.level)));
}

std::string order_text(const Target& target) {
  const bool numbers = target.kind == TargetKind::kRegression;
  const char* unit = target.width > 1 ? ", in deviations of the column" : "";
  if (target.level == Level::kGraph) {
    return numbers ? fmt::format("Largest errors first{}.", unit) : "The surest first.";
  }
  return numbers ? fmt::format("Graphs with the largest mean error first{}.", unit)
                 : "Graphs with the largest share of wrong and sure predictions first.";
}

std::string cases_html(const GraphSet& set, const Predicted& p) {
  const std::vector<JudgedGraph> cases = worst_graphs(p, kMostCases);
  const bool numbers = p.target->kind == TargetKind::kRegression;
  if (cases.empty()) return "<p>No prediction is wrong.</p>\n";
  std::string html = fmt::format("<h3>{}</h3>\n<p class=\"pale\">{}{}</p>\n<div class=\"cards\">\n",
                                 numbers ? "Worst predictions" : "Wrong predictions",
                                 marks_text(*p.target), order_text(*p.target));
  for (const JudgedGraph& judged : cases) html += case_html(set, p, judged);
  return html + "</div>\n";
}

bool has_labels_to_show(const Predicted& p) {
  return std::any_of(p.labels.begin(), p.labels.end(), [](float label) { return label == label; });
}

std::string target_html(const GraphSet& set, const Predicted& p, size_t place) {
  if (!has_labels_to_show(p)) return "<p>None of these graphs has a label.</p>\n";
  const std::string name = full_name(p.target->level, p.target->name);
  std::string html;
  if (p.target->width > kMostColumnsShown) {
    html += fmt::format("<p class=\"pale\">Figures are of the first {} of {} columns.</p>\n",
                        kMostColumnsShown, p.target->width);
  }
  std::vector<PlotPanel> panels = agreement_panels(p);
  PlotPanel sizes = size_panel(p);
  if (!sizes.series.empty()) panels.push_back(std::move(sizes));
  std::string figures;
  for (size_t i = 0; i < panels.size(); ++i) {
    figures += report::figure_html(panels[i], fmt::format("target{}-{}", place, i));
  }
  if (!figures.empty()) html += "<div class=\"charts\">\n" + figures + "</div>\n";
  std::vector<record::Table> tables = confusion_tables(p);
  tables.push_back(size_table(p));
  return html + report::tables_html(tables, name) + cases_html(set, p);
}

}  // namespace

std::string predictions_page(const PageHeading& heading, const GraphSet& set,
                             const std::vector<record::Table>& metrics,
                             const std::vector<Predicted>& targets) {
  std::string content = report::section("Metrics", report::tables_html(metrics, "metrics"));
  for (size_t i = 0; i < targets.size(); ++i) {
    const Target& target = *targets[i].target;
    content += report::section(escaped(full_name(target.level, target.name)),
                               target_html(set, targets[i], i));
  }
  return report::html_document(
      heading.title, "<p class=\"pale\">" + escaped(heading.overview) + "</p>\n", content);
}

}  // namespace floydnet::graphs
