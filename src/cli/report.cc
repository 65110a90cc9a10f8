// floydnet report: runs as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "cli/commands.h"
#include "floydnet/error.h"
#include "report/html.h"

namespace floydnet {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string output;
  std::string title = "Training runs";
  bool json = false;
};

std::vector<report::RunRecord> read_runs(const std::vector<std::string>& folders) {
  std::vector<report::RunRecord> runs;
  std::set<std::string> seen;
  for (const std::string& folder : folders) {
    runs.push_back(report::read_run(folder));
    std::error_code ignored;
    if (!seen.insert(std::filesystem::canonical(folder, ignored).string()).second) {
      throw InputError::in(folder, "given twice");
    }
  }
  return runs;
}

void write_report(const ReportOptions& options) {
  const std::vector<report::RunRecord> runs = read_runs(options.folders);
  const std::string page = report::report_page(runs, options.title);
  write_file_atomically(options.output, page);
  if (options.json) {
    const nlohmann::json summary = {
        {"output", options.output}, {"runs", runs.size()}, {"bytes", page.size()}};
    fmt::print("{}\n", summary.dump(2));
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
  command->add_option("--title", options->title, "the page's title (default: Training runs)");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: floydnet report runs/A runs/B -o report.html\n"
      "The page holds all it shows, opens without a network, and can be made while runs go on.");
  command->callback([options] { write_report(*options); });
}

}  // namespace floydnet
