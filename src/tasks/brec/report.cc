#include "tasks/brec/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "record/json_lines.h"

namespace floydnet::brec {
namespace {

using nlohmann::json;

struct Published {
  ModelKind model;
  int64_t order;
  bool peripheral_features;
  std::array<int64_t, 4> counts;  // by categories()
};

const Published* published_counts(const RunOptions& run) {
  static const std::vector<Published> all = {
      {ModelKind::kFloydNet, 2, false, {60, 50, 100, 60}},
      {ModelKind::kFloydNet, 2, true, {60, 106, 100, 60}},
      {ModelKind::kFloydNet, 3, false, {60, 140, 100, 80}},
      {ModelKind::kFloydNet, 4, false, {60, 140, 100, 99}},
  };
  for (const Published& row : all) {
    if (row.model == run.embed.model && row.order == run.embed.order &&
        row.peripheral_features == run.peripheral_features) {
      return &row;
    }
  }
  return nullptr;
}

std::string model_name(const RunOptions& run) {
  if (run.embed.model == ModelKind::kGin) return "GIN";
  if (run.embed.model == ModelKind::kSelfAttention) return "self-attention";
  return fmt::format("{}-FloydNet{}", run.embed.order, run.peripheral_features ? "-KP" : "");
}

struct Counts {
  std::string name;
  int64_t pairs = 0, distinguished = 0, unreliable = 0, not_run = 0, fwl = 0, theory = 0;
};

bool is_unreliable(const ReportRow& row) {
  return row.result.was_run() && !row.result.verdict.reliable;
}

/// One for each category, in order of appearance, and one for all.
std::vector<Counts> count_rows(const Report& report) {
  std::vector<Counts> counts;
  Counts all{"all"};
  for (const ReportRow& row : report.rows) {
    auto found = std::find_if(counts.begin(), counts.end(),
                              [&](const Counts& c) { return c.name == row.category; });
    if (found == counts.end()) found = counts.insert(counts.end(), {row.category});
    for (Counts* count : {&*found, &all}) {
      ++count->pairs;
      count->distinguished += row.result.verdict.distinguished ? 1 : 0;
      count->unreliable += is_unreliable(row) ? 1 : 0;
      count->not_run += row.result.was_run() ? 0 : 1;
      count->fwl += row.fwl.value_or(false) ? 1 : 0;
      count->theory += row.theory.value_or(false) ? 1 : 0;
    }
  }
  counts.push_back(all);
  return counts;
}

/// "60 of 60": the published count, which is of all pairs of the category.
std::string published_text(const Report& report, const std::string& category) {
  const Published* published = published_counts(report.run);
  if (published == nullptr) return "-";
  int64_t found = 0, pairs = 0;
  for (size_t i = 0; i < categories().size(); ++i) {
    if (category != categories()[i] && category != "all") continue;
    found += published->counts[i];
    for (const Part& part : parts()) {
      if (part.category == categories()[i]) pairs += part.last - part.first + 1;
    }
  }
  return fmt::format("{} of {}", found, pairs);
}

std::vector<int64_t> ids_where(const Report& report, bool (*holds)(const ReportRow&)) {
  std::vector<int64_t> ids;
  for (const ReportRow& row : report.rows) {
    if (holds(row)) ids.push_back(row.result.id);
  }
  return ids;
}

/// The smallest T2 of a pair that is told apart and the largest of one that is not: how far from
/// the threshold verdicts are.
std::string margins(const Report& report) {
  double least = INFINITY, most = 0, reliability = 0;
  for (const ReportRow& row : report.rows) {
    if (!row.result.was_run()) continue;
    const RpcVerdict& verdict = row.result.verdict;
    if (verdict.distinguished) {
      least = std::min(least, verdict.test);
    } else {
      most = std::max(most, verdict.test);
    }
    reliability = std::max(reliability, verdict.reliability);
  }
  std::string text = "T2:";
  if (std::isfinite(least)) text += fmt::format(" at least {:.3g} where told apart,", least);
  return text + fmt::format(" at most {:.3g} elsewhere, {:.3g} in reliability halves ({} wanted)",
                            most, reliability, kThreshold);
}

}  // namespace

int64_t Report::order() const { return bounding_order(run.embed); }

std::vector<int64_t> Report::distinguished() const {
  return ids_where(*this, [](const ReportRow& row) { return row.result.verdict.distinguished; });
}

std::vector<int64_t> Report::unreliable() const { return ids_where(*this, is_unreliable); }

std::vector<int64_t> Report::not_run() const {
  return ids_where(*this, [](const ReportRow& row) { return !row.result.was_run(); });
}

std::vector<int64_t> Report::fwl_ids() const {
  return ids_where(*this, [](const ReportRow& row) { return row.fwl.value_or(false); });
}

bool Report::has_fwl() const {
  return std::any_of(rows.begin(), rows.end(), [](const ReportRow& row) { return row.fwl; });
}

std::vector<int64_t> Report::disagreements() const {
  return ids_where(*this, [](const ReportRow& row) {
    const bool found = row.result.verdict.distinguished;
    return row.result.was_run() && row.fwl.value_or(row.theory.value_or(found)) != found;
  });
}

std::string report_text(const Report& report) {
  const bool with_theory = !report.is_brec;
  std::string text =
      fmt::format("{:<20}{:>7}{:>17}{:>12}{:>9}{:>8}{:>12}\n", "category", "pairs",
                  model_name(report.run), "unreliable", "not run",
                  fmt::format("{}-FWL", report.order()), with_theory ? "theory" : "published");
  for (const Counts& row : count_rows(report)) {
    text += fmt::format(
        "{:<20}{:>7}{:>17}{:>12}{:>9}{:>8}{:>12}\n", row.name, row.pairs, row.distinguished,
        row.unreliable, row.not_run, report.has_fwl() ? std::to_string(row.fwl) : "-",
        with_theory ? std::to_string(row.theory) : published_text(report, row.name));
  }
  text += fmt::format("told apart: {}\n", format_ids(report.distinguished()));
  if (!report.unreliable().empty()) {
    text += fmt::format("unreliable, not counted: {}\n", format_ids(report.unreliable()));
  }
  for (const ReportRow& row : report.rows) {
    if (row.result.was_run()) continue;
    text +=
        fmt::format("not run: {}, {} nodes: {}\n", row.result.id, row.nodes, row.result.not_run);
  }
  text += fmt::format("not as {}: {}\n",
                      report.has_fwl() ? fmt::format("{}-FWL", report.order()) : "theory",
                      report.has_fwl() || with_theory ? format_ids(report.disagreements())
                                                      : "not compared (--fwl yes)");
  text += margins(report) + "\n";
  return text + fmt::format("{:.1f} s, and {:.1f} s for {}-FWL\n", report.seconds,
                            report.fwl_seconds, report.order());
}

json report_json(const Report& report) {
  json pairs = json::array();
  for (const ReportRow& row : report.rows) {
    json entry = {{"id", row.result.id}, {"category", row.category}, {"nodes", row.nodes}};
    if (row.result.was_run()) {
      entry["distinguished"] = row.result.verdict.distinguished;
      entry["reliable"] = row.result.verdict.reliable;
      entry["depth"] = row.result.depth;
      entry["t2_test"] = record::number_or_null(row.result.verdict.test);
      entry["t2_reliability"] = record::number_or_null(row.result.verdict.reliability);
      entry["seconds"] = row.result.seconds;
    } else {
      entry["not_run"] = row.result.not_run;
    }
    if (row.fwl) entry["fwl"] = *row.fwl;
    if (row.theory) entry["theory"] = *row.theory;
    pairs.push_back(std::move(entry));
  }
  json by_category = json::object();
  for (const Counts& row : count_rows(report)) {
    if (row.name == "all") continue;
    json& entry = by_category[row.name];
    entry = {{"pairs", row.pairs},
             {"distinguished", row.distinguished},
             {"unreliable", row.unreliable},
             {"not_run", row.not_run}};
    if (report.has_fwl()) entry["wl"] = row.fwl;
  }
  return {{"options", report.run.to_json()},
          {"distinguished", report.distinguished().size()},
          {"unreliable", report.unreliable().size()},
          {"unreliable_ids", report.unreliable()},
          {"not_run", report.not_run().size()},
          {"not_run_ids", report.not_run()},
          {"ids", report.distinguished()},
          {"by_category", by_category},
          {"wl_ids", report.has_fwl() ? json(report.fwl_ids()) : json()},
          {"disagreements", report.disagreements()},
          {"seconds", report.seconds},
          {"wl_seconds", report.fwl_seconds},
          {"pairs", pairs}};
}

}  // namespace floydnet::brec
