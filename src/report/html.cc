#include "report/html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/json_text.h"
#include "report/against.h"
#include "report/compare.h"
#include "report/html_chart.h"
#include "report/html_document.h"
#include "report/html_table.h"
#include "report/markup.h"
#include "report/plot.h"

namespace floydnet::report {
namespace {

constexpr size_t kCurvePoints = 240;  // about as many as a figure has room for
constexpr size_t kOpenMeasures = 8;   // more of them are folded
constexpr size_t kOpenRows = 12;      // of final metrics

constexpr const char* kAboutSmoothing =
    "<p class=\"pale\">Curves of many training steps are smoothed by a bell curve whose standard "
    "deviation is 1.5\u00a0% of the run; behind them, pale, are the values themselves, without the "
    "highest and the lowest 2\u00a0%.</p>\n";

/// Builds the page's sections, each empty if there is nothing to show.
class Page {
 public:
  Page(const std::vector<RunRecord>& runs, const PageOptions& options)
      : runs_(runs), options_(options), names_(run_names(runs)), clock_(best_clock(runs)) {}

  std::string overview() const;
  std::string summary() const;
  std::string curves() const;
  std::string scaling() const;
  std::string results() const;
  std::string notes() const;
  std::string configuration() const;

 private:
  Cell name_cell(size_t run) const { return {legend_svg(run) + " " + escaped(names_[run]), false}; }
  std::string name_heading(size_t run) const {
    return fmt::format("<h3>{} {}</h3>\n", legend_svg(run), escaped(names_[run]));
  }
  /// A heading for a table with a column for each run.
  std::vector<Cell> columns(const std::vector<std::string>& first) const;

  Chart train_chart(const std::string& title, double TrainPoint::*number, bool smooth) const;
  Chart measure_chart(const Measure& measure) const;
  bool is_goal(const Measure& measure) const;
  std::vector<Chart> measure_charts() const;
  std::string charts_html(const std::vector<Chart>& charts, const char* id) const;
  std::string final_metrics() const;

  const std::vector<RunRecord>& runs_;
  const PageOptions& options_;
  std::vector<std::string> names_;
  Clock clock_;
};

std::string folded(const std::string& summary_html, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", summary_html, content);
}

bool is_constant(const Chart& chart) {
  for (const ChartLine& line : chart.lines) {
    for (const CurvePoint& point : line.curve) {
      if (point.value != chart.lines[0].curve[0].value) return false;
    }
  }
  return true;
}

std::string counted(size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string Page::overview() const {
  std::vector<std::string> tasks;
  size_t unfinished = 0;
  for (const RunRecord& run : runs_) {
    if (std::find(tasks.begin(), tasks.end(), run.task) == tasks.end()) tasks.push_back(run.task);
    unfinished += run.results ? 0 : 1;
  }
  std::string text =
      counted(runs_.size(), "run of ", "runs of ") + fmt::format("{}", fmt::join(tasks, ", "));
  if (unfinished > 0) text += fmt::format("; {} without final results yet", unfinished);
  return "<p class=\"pale\">" + escaped(text) + "</p>\n";
}

std::vector<Cell> Page::columns(const std::vector<std::string>& first) const {
  std::vector<Cell> cells;
  for (const std::string& text : first) cells.push_back(text_cell(text));
  for (size_t i = 0; i < runs_.size(); ++i) {
    cells.push_back(name_cell(i));
    cells.back().number = true;
  }
  return cells;
}

Cell reached_cell(const std::optional<Reached>& reached) {
  if (!reached) return no_cell();
  Cell cell = number_cell(reached->value);
  cell.html +=
      fmt::format("<small>{} {} {}, step {}</small>", reached->best ? "best" : "last",
                  escaped(reached->measure.split), escaped(reached->measure.metric), reached->step);
  return cell;
}

Cell duration_cell(double seconds) {
  return std::isnan(seconds) ? no_cell() : Cell{duration_text(seconds), true};
}

std::string Page::summary() const {
  Table table;
  table.columns = {text_cell("Run")};
  for (const char* text : {"Metric", "Steps", "Time", "CPU time"}) {
    table.columns.push_back({text, true});
  }
  table.columns.push_back(text_cell("Task"));
  table.columns.push_back(text_cell("State"));
  for (size_t i = 0; i < runs_.size(); ++i) {
    const RunRecord& run = runs_[i];
    table.rows.push_back({name_cell(i), reached_cell(reached(run)),
                          Cell{fmt::format("{}", steps_of(run)), true},
                          duration_cell(seconds_of(run)),
                          duration_cell(run.results ? run.results->cpu_seconds : NAN),
                          text_cell(run.task), text_cell(run.results ? "finished" : "unfinished")});
  }
  return section("Runs", table_html(table, "Runs"));
}

Chart Page::train_chart(const std::string& title, double TrainPoint::*number, bool smooth) const {
  Chart chart;
  chart.title = title;
  chart.cpu_time = clock_ == Clock::kCpu;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const Curve curve = train_curve(runs_[i], number, clock_);
    ChartLine line;
    line.run = i;
    if (smooth) {
      SmoothedCurve both = smoothed(curve, kCurvePoints);
      line.curve = std::move(both.smooth);
      line.faint = std::move(both.raw);
    } else {
      line.curve = thinned(curve, kCurvePoints);
    }
    if (!line.curve.empty()) chart.lines.push_back(std::move(line));
  }
  return chart;
}

Chart Page::measure_chart(const Measure& measure) const {
  Chart chart;
  chart.title = fmt::format("{}, {}", measure.metric, measure.split);
  chart.cpu_time = clock_ == Clock::kCpu;
  for (size_t i = 0; i < runs_.size(); ++i) {
    ChartLine line;
    line.run = i;
    line.curve = thinned(measure_curve(runs_[i], measure, clock_), kCurvePoints);
    if (!line.curve.empty()) chart.lines.push_back(std::move(line));
  }
  return chart;
}

bool Page::is_goal(const Measure& measure) const {
  return std::any_of(runs_.begin(), runs_.end(), [&measure](const RunRecord& run) {
    return run.log.goal && measure == Measure{run.log.goal->metric, run.log.goal->split};
  });
}

std::vector<Chart> Page::measure_charts() const {
  std::vector<Chart> charts;
  for (const Measure& measure : measures(runs_)) {
    Chart chart = measure_chart(measure);
    // What was evaluated only once, or never changes, is in the table of results.
    const bool has_curve = std::any_of(chart.lines.begin(), chart.lines.end(),
                                       [](const ChartLine& line) { return line.curve.size() > 1; });
    if (has_curve && (is_goal(measure) || !is_constant(chart))) charts.push_back(std::move(chart));
  }
  return charts;
}

std::string Page::charts_html(const std::vector<Chart>& charts, const char* id) const {
  std::string html = "<div class=\"charts\">\n";
  for (size_t i = 0; i < charts.size(); ++i) {
    html += chart_html(charts[i], fmt::format("{}{}", id, i + 1), names_);
  }
  return html + "</div>\n";
}

/// What matters most comes first; of many metrics, the later ones are folded.
std::string Page::curves() const {
  std::vector<Chart> open = {train_chart("Loss", &TrainPoint::loss, true)};
  std::vector<Chart> others = measure_charts();
  const auto first =
      others.begin() + static_cast<ptrdiff_t>(std::min(others.size(), kOpenMeasures));
  std::move(others.begin(), first, std::back_inserter(open));
  others.erase(others.begin(), first);
  open.push_back(train_chart("Learning rate", &TrainPoint::learning_rate, false));
  open.back().logarithmic = false;
  open.push_back(train_chart("Gradient norm", &TrainPoint::gradient_norm, true));
  open.push_back(train_chart("Examples per second", &TrainPoint::examples_per_second, true));
  open.erase(std::remove_if(open.begin(), open.end(),
                            [](const Chart& chart) { return chart.lines.empty(); }),
             open.end());
  if (open.empty()) return section("Curves", "<p>Nothing is logged yet.</p>\n");
  std::string content =
      fmt::format(
          "<input type=\"checkbox\" id=\"by-time\"><label for=\"by-time\">by {}time instead "
          "of steps</label>\n",
          clock_ == Clock::kCpu ? "CPU " : "") +
      charts_html(open, "chart");
  if (!others.empty()) {
    content +=
        folded(counted(others.size(), "more metric", "more metrics"), charts_html(others, "more"));
  }
  return section("Curves", content + kAboutSmoothing);
}

std::string Page::scaling() const {
  std::string figures;
  for (size_t k = 0; k < options_.against.size(); ++k) {
    const std::vector<PlotPanel> panels = panels_against(runs_, options_.against[k]);
    for (size_t i = 0; i < panels.size(); ++i) {
      figures += figure_html(panels[i], fmt::format("against{}-{}", k + 1, i + 1));
    }
  }
  return section("Scaling",
                 figures.empty() ? "" : "<div class=\"charts\">\n" + figures + "</div>\n");
}

std::string Page::final_metrics() const {
  Table open, others;
  open.columns = columns({"Metric", "Split"});
  for (size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].results) open.columns[i + 2].html += "<small>so far</small>";
  }
  others.columns = open.columns;
  for (const Measure& measure : measures(runs_)) {
    std::vector<Cell> row = {text_cell(measure.metric), text_cell(measure.split)};
    bool any = false;
    for (const RunRecord& run : runs_) {
      const auto value = final_value(run, measure);
      row.push_back(value ? number_cell(*value) : no_cell());
      any |= value.has_value();
    }
    if (any) (open.rows.size() < kOpenRows ? open : others).rows.push_back(std::move(row));
  }
  if (open.rows.empty()) return "";
  std::string html = table_html(open, "Final metrics");
  if (!others.rows.empty()) {
    html += folded(counted(others.rows.size(), "more value", "more values"),
                   table_html(others, "More final metrics"));
  }
  return html;
}

std::string Page::results() const {
  std::string content = tables_html(options_.of_several, "all runs") + final_metrics();
  for (size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].results || runs_[i].results->tables.empty()) continue;
    content += name_heading(i) + tables_html(runs_[i].results->tables, names_[i]);
  }
  return section("Results", content);
}

std::string Page::notes() const {
  std::string content;
  for (size_t i = 0; i < runs_.size(); ++i) {
    const std::vector<Note>& notes = runs_[i].log.notes;
    if (notes.empty()) continue;
    std::string list = "<ul>\n";
    for (const Note& note : notes) {
      list += fmt::format("<li>step {}: {}</li>\n", note.step, escaped(note.text));
    }
    content += folded(fmt::format("{} {}: {}", legend_svg(i), escaped(names_[i]),
                                  counted(notes.size(), "note", "notes")),
                      list + "</ul>\n");
  }
  return section("Notes", content);
}

std::string Page::configuration() const {
  std::string content;
  Table table;
  table.columns = columns({"Setting"});
  for (const Setting& setting : config_differences(runs_)) {
    std::vector<Cell> row = {text_cell(setting.key)};
    for (const auto& value : setting.values) {
      row.push_back(value ? Cell{escaped(*value), true} : no_cell());
    }
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) {
    content += "<p class=\"pale\">Settings that are not the same in all runs:</p>\n" +
               table_html(table, "Settings that differ");
  } else if (runs_.size() > 1) {
    content += "<p>All runs have the same configuration.</p>\n";
  }
  for (size_t i = 0; i < runs_.size(); ++i) {
    content += folded(fmt::format("{} {}: all settings", legend_svg(i), escaped(names_[i])),
                      "<pre>" + escaped_lines(json_text(runs_[i].config, 2)) + "</pre>\n");
  }
  return section("Configuration", content);
}

}  // namespace

std::string report_page(const std::vector<RunRecord>& runs, const PageOptions& options) {
  if (runs.empty()) throw std::invalid_argument("report_page: no runs; wanted at least one");
  const Page page(runs, options);
  return html_document(options.title, page.overview(),
                       page.summary() + page.curves() + page.scaling() + page.results() +
                           page.notes() + page.configuration());
}

}  // namespace floydnet::report
