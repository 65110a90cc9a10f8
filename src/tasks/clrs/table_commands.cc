#include "tasks/clrs/table_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "tasks/clrs/seeds.h"

namespace floydnet::clrs {
namespace {

struct TableCommand {
  std::vector<std::string> folders;
  std::string output;
  bool json = false;
};

void make_table(const TableCommand& command) {
  std::vector<JudgedRun> runs;
  for (const std::string& folder : command.folders) runs.push_back(read_judged_run(folder));
  const record::Table table = seeds_table(runs);
  if (!command.output.empty()) {
    write_file_atomically(command.output, record::markdown_table(table));
  }
  fmt::print(
      "{}", command.json ? json_text(record::to_json(table), 2) + "\n" : record::text_table(table));
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
}

}  // namespace floydnet::clrs
