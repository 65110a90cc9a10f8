// floydnet demo: a network learns an algorithm while one waits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "cli/commands.h"
#include "cli/evaluation.h"
#include "cli/train_console.h"
#include "cli/training.h"
#include "record/run.h"
#include "report/html.h"

namespace floydnet {
namespace {

namespace fs = std::filesystem;

struct DemoCommand {
  std::string algorithm = "bfs";
  std::string lengths = "16,32,64";
  std::string out;
  double minutes = 2;
  int64_t steps = 0;
  int64_t samples = 0;
  int64_t seed = 1;
  bool json = false;
};

/// runs/demo, or the first of runs/demo-2, runs/demo-3, ... that is free.
std::string free_folder() {
  const std::string first = "runs/demo";
  if (!fs::exists(first)) return first;
  int number = 2;
  while (fs::exists(fmt::format("{}-{}", first, number))) ++number;
  return fmt::format("{}-{}", first, number);
}

LoadedRun configured_run(const DemoCommand& command) {
  LoadedRun run = make_run("clrs");
  run.config.set("data.algorithm=" + command.algorithm);
  run.config.set("data.lengths=" + command.lengths);
  run.config.set(fmt::format("data.samples={}", command.samples));
  run.config.set(fmt::format("train.steps={}", command.steps));
  run.config.set(fmt::format("train.minutes={}", command.steps > 0 ? 0 : command.minutes));
  run.config.set(fmt::format("train.seed={}", command.seed));
  return run;
}

std::string write_report(const std::string& folder) {
  const std::string file = folder + "/report.html";
  write_file_atomically(file, report::report_page({record::read_run(folder)}, {"floydnet demo"}));
  return file;
}

void introduce(const DemoCommand& command, const std::string& folder) {
  const std::string limit = command.steps > 0 ? fmt::format("for {} steps", command.steps)
                                              : fmt::format("for {:g} minutes", command.minutes);
  fmt::print(
      "FloydNet learns {} {} from problems of 4 to 16 nodes, made on the fly,\n"
      "and is then asked to solve larger ones. The run is kept in {}.\n\n",
      command.algorithm, limit, folder);
  std::fflush(stdout);
}

void print_text(const DemoCommand& command, const train::Outcome& outcome,
                const std::vector<record::Table>& tables, const std::string& folder,
                const std::string& report) {
  for (const record::Table& table : tables) fmt::print("{}\n", record::text_table(table));
  const bool official =
      command.samples == 0 && std::any_of(outcome.finals.begin(), outcome.finals.end(),
                                          [](const auto& split) { return split.first == "test"; });
  if (official) fmt::print("Length 64 is the official test split of the CLRS benchmark.\n");
  fmt::print(
      "No problem of more than 16 nodes was seen in training. {} steps in {}, {:.0f} s of CPU "
      "time.\n\n",
      outcome.step, clock_text(outcome.seconds), outcome.cpu_seconds);
  fmt::print("  {:<52} curves and results, for a browser\n", report);
  fmt::print("  {:<52} other lengths\n",
             fmt::format("floydnet eval {} --lengths 16,64,128", folder));
  fmt::print("  {:<52} another of the 30 algorithms\n",
             fmt::format("floydnet demo --algorithm {}",
                         command.algorithm == "bfs" ? "insertion_sort" : "bfs"));
}

void run_demo(const DemoCommand& command) {
  const std::string folder = command.out.empty() ? free_folder() : command.out;
  LoadedRun run = configured_run(command);
  const std::unique_ptr<train::Task> task =
      run.task_config->make_task();  // refuses before all is said
  if (!command.json) introduce(command, folder);
  const std::optional<train::Outcome> outcome =
      run_training(run, train::RunFolder(folder), /*is_new=*/true);
  if (!outcome) return;
  const std::string report = write_report(folder);
  if (!command.json) {
    print_text(command, *outcome, task->tables(outcome->finals), folder, report);
    return;
  }
  const nlohmann::json object = {{"algorithm", command.algorithm},
                                 {"run", folder},
                                 {"report", report},
                                 {"steps", outcome->step},
                                 {"seconds", outcome->seconds},
                                 {"cpu_seconds", outcome->cpu_seconds},
                                 {"splits", record::to_json(outcome->finals)}};
  fmt::print("{}\n", json_text(object, 2));
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App* demo = app.add_subcommand(
      "demo", "Learn breadth-first search in two minutes and solve larger graphs");
  demo->add_option("--algorithm", command->algorithm,
                   "one of the 30 algorithms of CLRS (default: bfs); floydnet data clrs --list");
  demo->add_option("--minutes", command->minutes, "time to train (default: 2)")
      ->check(CLI::Range(0.01, 1e6));
  demo->add_option("--steps", command->steps, "number of steps to train instead")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  demo->add_option("--lengths", command->lengths,
                   "lengths to solve at the end (default: 16,32,64)");
  demo->add_option("--samples", command->samples,
                   "samples of each length (default: as many as the benchmark's test)")
      ->check(CLI::Range(1, 1'000'000));
  demo->add_option("--out", command->out, "folder of the run (default: runs/demo, or the next)");
  demo->add_option("--seed", command->seed, "random seed of weights and data (default: 1)")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 40));
  demo->add_flag("--json", command->json, "print one JSON object");
  demo->footer("Example: floydnet demo --minutes 1 --out runs/demo");
  demo->callback([command] { run_demo(*command); });
}

}  // namespace floydnet
