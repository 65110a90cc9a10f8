#include "tasks/clrs/table_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "report/plot.h"
#include "tasks/clrs/lengths.h"
#include "tasks/clrs/seeds.h"

namespace floydnet::clrs {
namespace {

struct TableCommand {
  std::vector<std::string> folders;
  std::string output;
  bool json = false;
};

void print(const record::Table& table, bool json) {
  fmt::print("{}", json ? json_text(record::to_json(table), 2) + "\n" : record::text_table(table));
}

void make_table(const TableCommand& command) {
  std::vector<JudgedRun> runs;
  for (const std::string& folder : command.folders) runs.push_back(read_judged_run(folder));
  const record::Table table = seeds_table(runs);
  if (!command.output.empty()) {
    write_file_atomically(command.output, record::markdown_table(table));
  }
  print(table, command.json);
}

struct LengthsCommand {
  std::vector<std::string> folders;
  std::string plot;
  bool json = false;
};

void show_lengths(const LengthsCommand& command) {
  std::vector<ScoresByLength> runs;
  for (const std::string& folder : command.folders) {
    runs.push_back(read_scores_by_length(folder));
  }
  const record::Table table = lengths_table(runs);
  if (!command.plot.empty()) {
    constexpr size_t kColumns = 3;
    write_file_atomically(command.plot,
                          plot_svg("CLRS: scores by length", lengths_panels(runs), kColumns));
  }
  print(table, command.json);
}

void add_lengths_command(CLI::App& clrs) {
  auto command = std::make_shared<LengthsCommand>();
  CLI::App* lengths =
      clrs.add_subcommand("lengths", "Scores of runs against the length of samples");
  lengths
      ->add_option("runs", command->folders,
                   "folders that 'floydnet train clrs' wrote, each with a lengths.json that "
                   "'floydnet eval RUN --lengths 16,32,64 --json' printed")
      ->required();
  lengths->add_option("--plot", command->plot, "draw them by category, as SVG");
  lengths->add_flag("--json", command->json, "print one JSON object");
  lengths->footer("Example: floydnet clrs lengths runs/clrs/*/chosen/seed-1 --plot lengths.svg");
  lengths->callback([command] { show_lengths(*command); });
}

struct CompareCommand {
  std::vector<std::string> runs;
  std::string output;
  bool json = false;
};

/// NAME=FOLDER
std::pair<std::string, JudgedRun> named_run(const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw CLI::ValidationError("runs", "'" + text + "': wanted NAME=FOLDER");
  }
  return {text.substr(0, sign), read_judged_run(text.substr(sign + 1))};
}

void compare(const CompareCommand& command) {
  std::vector<std::pair<std::string, JudgedRun>> runs;
  for (const std::string& text : command.runs) runs.push_back(named_run(text));
  const record::Table table = comparison_table(runs);
  if (!command.output.empty()) {
    write_file_atomically(command.output, record::markdown_table(table));
  }
  print(table, command.json);
}

void add_compare_command(CLI::App& clrs) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* app = clrs.add_subcommand(
      "compare", "Runs of several kinds side by side, such as with hints and without");
  app->add_option("runs", command->runs,
                  "NAME=FOLDER of runs as for 'floydnet clrs table'; runs of an algorithm with the "
                  "same name count by their mean")
      ->required();
  app->add_option("-o,--output", command->output, "write the table as Markdown, too");
  app->add_flag("--json", command->json, "print one JSON object");
  app->footer("Example: floydnet clrs compare online=runs/bfs/seed-1 offline=runs/bfs-1000/seed-1");
  app->callback([command] { compare(*command); });
}

}  // namespace

void add_clrs_command(CLI::App& app) {
  CLI::App* clrs = app.add_subcommand("clrs", "Results of the CLRS benchmark");
  clrs->require_subcommand(1);
  auto command = std::make_shared<TableCommand>();
  CLI::App* table = clrs->add_subcommand(
      "table", "Runs with several seeds in one table, beside published scores");
  table
      ->add_option("runs", command->folders,
                   "folders that 'floydnet train clrs' wrote, each with a test.json that "
                   "'floydnet eval RUN --lengths 64 --set data.test_seed=3 --json' printed")
      ->required();
  table->add_option("-o,--output", command->output, "write it as Markdown, too");
  table->add_flag("--json", command->json, "print one JSON object");
  table->footer("Example: floydnet clrs table runs/clrs/*/seed-* -o table.md");
  table->callback([command] { make_table(*command); });
  add_lengths_command(*clrs);
  add_compare_command(*clrs);
}

}  // namespace floydnet::clrs
