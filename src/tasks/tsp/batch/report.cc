#include "tasks/tsp/batch/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "record/table.h"

namespace floydnet::tsp {
namespace {

using Json = nlohmann::json;
using record::Cell;

const char* name_of(Uniqueness uniqueness) {
  if (uniqueness == Uniqueness::kUnknown) return "unknown";
  return uniqueness == Uniqueness::kUnique ? "yes" : "no";
}

/// One instance's line of the report.
class ReportRow {
 public:
  ReportRow(const Problem& problem, const Outcome& outcome)
      : problem_(problem), outcome_(outcome) {}

  const Problem& problem() const { return problem_; }
  const Outcome& outcome() const { return outcome_; }
  const std::string& name() const { return problem_.name; }
  bool is_scaled() const { return problem_.has_real_distances(); }
  bool has_reference() const { return outcome_.reference_length.has_value(); }

  /// In the data's own unit.
  double own_length(const Tour& tour, Length length) const {
    return is_scaled() ? real_length(problem_, tour) : static_cast<double>(length);
  }
  double own_length() const { return own_length(outcome_.tour, outcome_.length); }
  double own_reference() const {
    return own_length(*problem_.reference, *outcome_.reference_length);
  }

  /// -1 if the tour is shorter than the reference, 0 if it is as long, 1 if it is longer. Sums of
  /// the same real distances may differ in their last digits.
  int beside_reference() const {
    const double tolerance = is_scaled() ? 1e-9 * own_reference() : 0;
    const double difference = own_length() - own_reference();
    if (std::abs(difference) <= tolerance) return 0;
    return difference < 0 ? -1 : 1;
  }
  double percent_above_reference() const {
    return beside_reference() == 0 ? 0 : 100 * (own_length() / own_reference() - 1);
  }

  Json to_json() const {
    Json json = {{"name", name()},
                 {"cities", problem_.cities()},
                 {"metric", name_of_metric()},
                 {"solved", outcome_.begun}};
    if (!outcome_.begun) return json;
    json.update({{"length", outcome_.length},
                 {"proven", outcome_.proven},
                 {"bound", outcome_.bound ? Json(*outcome_.bound) : Json()},
                 {"gap_percent", std::isfinite(outcome_.gap()) ? Json(outcome_.gap()) : Json()},
                 {"nodes", outcome_.nodes},
                 {"cuts", outcome_.cuts},
                 {"kicks", outcome_.kicks},
                 {"seconds", outcome_.seconds},
                 {"scale", outcome_.scale},
                 {"tour", one_based(outcome_.tour)}});
    if (is_scaled()) json["real_length"] = own_length();
    if (outcome_.uniqueness) json["unique"] = unique_json();
    if (outcome_.baseline) json["lin_kernighan_length"] = outcome_.baseline_length;
    if (has_reference()) json["reference"] = reference_json();
    return json;
  }

  std::string status() const {
    if (outcome_.proven) return "optimal";
    if (!outcome_.bound) return "-";
    return std::isfinite(outcome_.gap()) ? fmt::format("{:.3f} %", outcome_.gap()) : "unknown";
  }

 private:
  const char* name_of_metric() const { return tsp::name_of(problem_.metric); }

  static std::vector<int> one_based(Tour tour) {
    for (int& city : tour) ++city;
    return tour;
  }

  /// null if it is not known.
  Json unique_json() const {
    if (*outcome_.uniqueness == Uniqueness::kUnknown) return {};
    return *outcome_.uniqueness == Uniqueness::kUnique;
  }

  Json reference_json() const {
    constexpr const char* kWords[] = {"shorter", "equal", "longer"};
    Json json = {{"length", *outcome_.reference_length},
                 {"tour_is", kWords[beside_reference() + 1]},
                 {"percent_above", percent_above_reference()}};
    if (is_scaled()) json["real_length"] = own_reference();
    return json;
  }

  const Problem& problem_;
  const Outcome& outcome_;
};

struct Summary {
  std::int64_t instances = 0, solved = 0, proven = 0;
  std::int64_t unique = 0, not_unique = 0;
  std::int64_t references = 0, shorter = 0, equal = 0, longer = 0;
  double length = 0, solver_seconds = 0;               // sums
  double reference_length = 0, referenced_length = 0;  // sums where there is a reference
  double worst_gap = 0;                                // of those that are not proven

  void add(const ReportRow& row) {
    const Outcome& outcome = row.outcome();
    ++instances;
    if (!outcome.begun) return;
    ++solved;
    proven += outcome.proven;
    unique += outcome.uniqueness == Uniqueness::kUnique;
    not_unique += outcome.uniqueness == Uniqueness::kNotUnique;
    length += row.own_length();
    solver_seconds += outcome.seconds;
    worst_gap = std::max(worst_gap, outcome.gap());
    if (!row.has_reference()) return;
    ++references;
    const int order = row.beside_reference();
    ++(order < 0 ? shorter : order > 0 ? longer : equal);
    reference_length += row.own_reference();
    referenced_length += row.own_length();
  }

  double percent_above_references() const {
    if (longer == 0 && shorter == 0) return 0;
    return 100 * (referenced_length / reference_length - 1);
  }
  static double mean(double sum, std::int64_t count) {
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }
};

std::vector<ReportRow> rows_of(const SolveReport& report) {
  std::vector<ReportRow> rows;
  for (std::size_t i = 0; i < report.problems.size(); ++i) {
    rows.emplace_back(report.problems[i], report.outcomes[i]);
  }
  return rows;
}

Summary summary_of(const std::vector<ReportRow>& rows) {
  Summary summary;
  for (const ReportRow& row : rows) summary.add(row);
  return summary;
}

template <typename Holds>
bool any_row(const std::vector<ReportRow>& rows, Holds holds) {
  return std::any_of(rows.begin(), rows.end(), holds);
}

struct ReportColumn {
  const char* title;
  bool shown;
  std::function<Cell(const ReportRow&)> cell;
};

Cell own_length_cell(const ReportRow& row) {
  return row.is_scaled() ? Cell(fmt::format("{:.6f}", row.own_length())) : Cell();
}
Cell uniqueness_cell(const ReportRow& row) {
  return name_of(row.outcome().uniqueness.value_or(Uniqueness::kUnknown));
}
Cell reference_cell(const ReportRow& row) {
  return row.has_reference() ? Cell(fmt::format("{:+.4f} %", row.percent_above_reference()))
                             : Cell();
}

std::vector<ReportColumn> columns_of(const std::vector<ReportRow>& rows,
                                     const SolveOptions& options) {
  const bool exact = options.method == Method::kExact;
  const bool scaled = any_row(rows, [](const ReportRow& row) { return row.is_scaled(); });
  const bool references = any_row(rows, [](const ReportRow& row) { return row.has_reference(); });
  return {
      {"instance", true, [](const ReportRow& row) { return row.name(); }},
      {"cities", true, [](const ReportRow& row) { return std::int64_t{row.problem().cities()}; }},
      {"length", true, [](const ReportRow& row) { return row.outcome().length; }},
      {"in data's unit", scaled, own_length_cell},
      {"gap", exact, [](const ReportRow& row) { return row.status(); }},
      {"nodes", exact, [](const ReportRow& row) { return row.outcome().nodes; }},
      {"cuts", exact, [](const ReportRow& row) { return row.outcome().cuts; }},
      {"kicks", !exact, [](const ReportRow& row) { return row.outcome().kicks; }},
      {"seconds", true,
       [](const ReportRow& row) { return fmt::format("{:.2f}", row.outcome().seconds); }},
      {"only optimum", options.unique, uniqueness_cell},
      {"Lin-Kernighan", options.baseline,
       [](const ReportRow& row) { return row.outcome().baseline_length; }},
      {"beside reference", references, reference_cell}};
}

std::string table_text(const std::vector<ReportRow>& rows, const SolveOptions& options) {
  const std::vector<ReportColumn> columns = columns_of(rows, options);
  const bool exact = options.method == Method::kExact;
  record::Table table{exact ? "Branch and cut" : "Chained Lin-Kernighan", {}, {}};
  for (const ReportColumn& column : columns) {
    if (column.shown) table.columns.emplace_back(column.title);
  }
  for (const ReportRow& row : rows) {
    if (!row.outcome().begun) continue;
    table.rows.emplace_back();
    for (const ReportColumn& column : columns) {
      if (column.shown) table.rows.back().push_back(column.cell(row));
    }
  }
  return record::text_table(table);
}

std::string scale_text(const SolveReport& report) {
  double least = INFINITY, most = 0;
  for (std::size_t i = 0; i < report.problems.size(); ++i) {
    if (!report.problems[i].has_real_distances() || !report.outcomes[i].begun) continue;
    least = std::min(least, report.outcomes[i].scale);
    most = std::max(most, report.outcomes[i].scale);
  }
  if (most == 0) return "";
  const std::string scale =
      least == most ? fmt::format("{:g}", most) : fmt::format("{:g} to {:g}", least, most);
  return fmt::format("Real distances are solved as integers: times {}, rounded.\n", scale);
}

std::string summary_text(const Summary& sum, const SolveReport& report) {
  std::string text = fmt::format("{} instances", sum.instances);
  if (sum.solved < sum.instances) text += fmt::format(", {} of them begun", sum.solved);
  if (report.options.method == Method::kExact) {
    text += fmt::format(", {} proven optimal", sum.proven);
    if (sum.proven < sum.solved) text += fmt::format(" (largest gap {:.3f} %)", sum.worst_gap);
  }
  text += fmt::format("; mean length {:.6g}; {:.2f} s of solving each, {:.2f} s in all\n",
                      Summary::mean(sum.length, sum.solved),
                      Summary::mean(sum.solver_seconds, sum.solved), report.seconds);
  if (report.options.unique) {
    text += fmt::format("The optimum is unique in {}, not so in {}.\n", sum.unique, sum.not_unique);
  }
  return text;
}

std::string references_text(const Summary& sum) {
  if (sum.references == 0) return "";
  return fmt::format(
      "Beside {} reference tour{}: {} shorter, {} equal, {} longer; mean length {:+.6f} %\n",
      sum.references, sum.references == 1 ? "" : "s", sum.shorter, sum.equal, sum.longer,
      sum.percent_above_references());
}

}  // namespace

std::string report_text(const SolveReport& report, bool only_summary) {
  const std::vector<ReportRow> rows = rows_of(report);
  const Summary summary = summary_of(rows);
  std::string text;
  if (!only_summary && summary.solved > 0) text += table_text(rows, report.options);
  text += scale_text(report);
  if (only_summary || rows.size() > 1) text += summary_text(summary, report);
  return text + references_text(summary);
}

Json report_json(const SolveReport& report) {
  const std::vector<ReportRow> rows = rows_of(report);
  const Summary sum = summary_of(rows);
  Json instances = Json::array();
  for (const ReportRow& row : rows) instances.push_back(row.to_json());
  Json json = {{"method", report.options.method == Method::kExact ? "exact" : "lk"},
               {"seed", report.options.seed},
               {"instances", std::move(instances)},
               {"solved", sum.solved},
               {"proven", sum.proven},
               {"seconds", report.seconds}};
  if (sum.references > 0) {
    json["references"] = {
        {"tours", sum.references},
        {"shorter", sum.shorter},
        {"equal", sum.equal},
        {"longer", sum.longer},
        {"mean_length", Summary::mean(sum.reference_length, sum.references)},
        {"mean_length_found", Summary::mean(sum.referenced_length, sum.references)}};
  }
  return json;
}

}  // namespace floydnet::tsp
