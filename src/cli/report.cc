// floydnet report: runs as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "base/json_text.h"
#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/loaded_run.h"
#include "floydnet/error.h"
#include "report/html.h"

namespace floydnet {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string output;
  report::PageOptions page;
  bool json = false;
};

std::vector<record::RunRecord> read_runs(const std::vector<std::string>& folders) {
  std::vector<record::RunRecord> runs;
  std::set<std::string> seen;
  for (const std::string& folder : folders) {
    runs.push_back(record::read_run(folder));
    std::error_code ignored;
    if (!seen.insert(std::filesystem::canonical(folder, ignored).string()).second) {
      throw InputError::in(folder, "given twice");
    }
  }
  return runs;
}

/// What a run was judged by in the end comes first among its metrics.
train::SplitMetrics finals_of(const record::RunRecord& run) {
  train::SplitMetrics finals = run.results->splits;
  for (auto& [split, metrics] : finals) {
    std::stable_partition(metrics.begin(), metrics.end(), [&run](const auto& metric) {
      return run.log.goal && metric.first == run.log.goal->metric;
    });
  }
  return finals;
}

/// Of tasks with a model for each of several things, where more than one was learned: what all
/// scored.
std::vector<record::Table> tables_of_several(const std::vector<record::RunRecord>& runs) {
  std::map<std::string, std::map<std::string, train::SplitMetrics>> by_task;
  for (const record::RunRecord& run : runs) {
    if (!run.results || !is_task(run.task)) continue;
    try {
      const std::string model = load_run(run.folder).task_config->model_name();
      if (!model.empty()) by_task[run.task].emplace(model, finals_of(run));
    } catch (const InputError&) {  // its settings are of another version
    }
  }
  std::vector<record::Table> tables;
  for (const auto& [task, finals] : by_task) {
    if (finals.size() < 2) continue;
    tables.push_back(make_run(task).task_config->models_table(finals));
  }
  return tables;
}

void write_report(const ReportOptions& options) {
  const std::vector<record::RunRecord> runs = read_runs(options.folders);
  report::PageOptions with_tables = options.page;
  with_tables.of_several = tables_of_several(runs);
  const std::string page = report::report_page(runs, with_tables);
  write_file_atomically(options.output, page);
  if (options.json) {
    const nlohmann::json summary = {
        {"output", options.output}, {"runs", runs.size()}, {"bytes", page.size()}};
    fmt::print("{}\n", json_text(summary, 2));
  } else {
    fmt::print("{}: {} {}, {} KB\n", options.output, runs.size(), runs.size() == 1 ? "run" : "runs",
               (page.size() + 999) / 1000);
  }
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Compare training runs on one HTML page");
  command->add_option("runs", options->folders, "folders that 'floydnet train' wrote")->required();
  command->add_option("-o,--output", options->output, "where to write the page")->required();
  command->add_option("--title", options->page.title, "the page's title (default: Training runs)");
  command->add_option("--against", options->page.against,
                      "draw final metrics against this setting, such as model.depth");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: floydnet report runs/A runs/B -o report.html\n"
      "         floydnet report runs/depth-* -o depth.html --against model.depth\n"
      "The page holds all it shows, opens without a network, and can be made while runs are "
      "training.");
  command->callback([options] { write_report(*options); });
}

}  // namespace floydnet
