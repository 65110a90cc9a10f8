// floydnet tsp sample
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "console/exit_code.h"
#include "console/interruptible.h"
#include "console/progress.h"
#include "console/stored_models.h"
#include "tasks/tsp/batch/inputs.h"
#include "tasks/tsp/commands.h"
#include "tasks/tsp/edges/judged_figure.h"
#include "tasks/tsp/edges/judged_page.h"
#include "tasks/tsp/edges/judged_tables.h"
#include "tasks/tsp/judging.h"
#include "tasks/tsp/stored_model.h"

namespace floydnet::tsp {
namespace {

using Json = nlohmann::json;

struct SampleCommand {
  std::string run, checkpoint, config;
  std::vector<std::string> files;
  SampleOptions options;
  std::string csv, plot, report;
  bool json = false;
};

/// Weights that come with the program, for instances of the given kind.
StoredEdgeModel bundled_model(const std::vector<Problem>& problems) {
  const bool has_points = std::all_of(problems.begin(), problems.end(),
                                      [](const Problem& one) { return !one.points.empty(); });
  return load_edge_model(stored_model("tsp", has_points ? "euclidean" : "explicit"));
}

StoredEdgeModel open_model(const SampleCommand& command, const std::vector<Problem>& problems) {
  if (!command.run.empty()) return load_edge_model(command.run);
  if (command.checkpoint.empty()) return bundled_model(problems);
  return import_edge_model(command.checkpoint, command.config);
}

std::string csv_text(const std::vector<JudgedInstance>& judged) {
  std::string text = "cities,optimum,sample,decoded,strict,f1,merged,repaired,seconds\n";
  for (const JudgedInstance& one : judged) {
    for (size_t s = 0; s < one.samples.size(); ++s) {
      const JudgedSample& sample = one.samples[s];
      const std::string strict =
          sample.kind == Decoded::kTour ? std::to_string(sample.strict) : std::string();
      text += fmt::format("{},{},{},{},{},{:.4f},{},{},{:.6f}\n", one.cities, one.optimum, s + 1,
                          name_of(sample.kind), strict, sample.f1, sample.merged, sample.repaired,
                          one.seconds);
    }
  }
  return text;
}

void write_outputs(const SampleCommand& command, const std::vector<JudgedInstance>& judged,
                   const std::vector<Problem>& problems, int64_t samples, TrainedSizes trained) {
  if (!command.csv.empty()) write_file_atomically(command.csv, csv_text(judged));
  if (!command.plot.empty()) write_file_atomically(command.plot, judged_svg(judged, trained));
  if (!command.report.empty()) {
    const std::string overview = fmt::format(
        "{} instances, {} of each in {} of diffusion; optimal tours proven by the exact solver.",
        judged.size(), samples == 1 ? "one sample" : fmt::format("{} samples", samples),
        command.options.steps == 1 ? "one step" : fmt::format("{} steps", command.options.steps));
    write_file_atomically(command.report,
                          judged_page(judged, problems, "Sampled tours", overview, trained));
  }
  const std::vector<record::Table> tables = {judged_table(judged), detailed_table(judged),
                                             baselines_table(judged)};
  if (command.json) {
    Json json = {
        {"samples", samples}, {"steps", command.options.steps}, {"threads", at::get_num_threads()}};
    for (const record::Table& table : tables) json["tables"].push_back(to_json(table));
    fmt::print("{}\n", json_text(json, 2));
    return;
  }
  for (size_t i = 0; i < tables.size(); ++i) {
    fmt::print("{}{}", i == 0 ? "" : "\n", text_table(tables[i]));
  }
}

void run_sample(const SampleCommand& command) {
  const std::vector<Problem> problems = read_inputs(command.files, command.options.seed);
  auto [model, trained] = open_model(command, problems);
  for (const std::string& path : {command.csv, command.plot, command.report}) {
    if (!path.empty()) require_writable(path);
  }
  EdgeModel& edges = model;
  const int64_t samples = edges->options().mode == Mode::kOneShot ? 1 : command.options.samples;
  const auto instances = static_cast<int64_t>(problems.size());
  std::vector<JudgedInstance> judged;
  JudgingProgress done;
  Progress sampling("samples", samples * instances), judging("instances judged", instances);
  const int signal = run_interruptibly(
      [&](const std::atomic<bool>& stop) {
        judged = judge_model(edges, problems, command.options, stop, &done);
      },
      [&] {
        // Sizes are sampled and judged in turn.
        if (done.sampled > done.judged * samples && done.sampled % (samples * instances) != 0) {
          sampling.show(done.sampled);
        } else {
          judging.show(done.judged);
        }
      });
  if (!judged.empty()) write_outputs(command, judged, problems, samples, trained);
  if (signal != 0) throw ExitCode{128 + signal};
}

}  // namespace

void add_sample_command(CLI::App& tsp) {
  auto command = std::make_shared<SampleCommand>();
  CLI::App* app = tsp.add_subcommand("sample", "Draw tours from a trained model, and judge them");
  app->add_option("instances", command->files, "as for 'floydnet tsp solve'")->required();
  CLI::Option* run = app->add_option(
      "--run", command->run,
      "a run of 'floydnet train tsp', or a file of its weights (default: bundled weights, for "
      "instances with points or without)");
  CLI::Option* checkpoint = app->add_option("--checkpoint", command->checkpoint,
                                            "a published checkpoint (.pt) instead of a run");
  CLI::Option* config =
      app->add_option("--config", command->config, "its model_config.json")->needs(checkpoint);
  checkpoint->needs(config)->excludes(run);
  app->add_option("--samples", command->options.samples, "samples per instance (default: 1)")
      ->check(CLI::Range(int64_t{1}, int64_t{100000}));
  app->add_option("--steps", command->options.steps, "diffusion steps per sample (default: 50)")
      ->check(CLI::Range(int64_t{1}, int64_t{10000}));
  app->add_option("--eta", command->options.eta,
                  "noise added in each step: 1, as much as was there, to 0, none (default: 1)")
      ->check(CLI::Range(0.0, 1.0));
  app->add_option("--seed", command->options.seed, "random seed of the noise (default: 1)");
  app->add_option("--csv", command->csv, "write a line for each sample to this file");
  app->add_option("--plot", command->plot, "draw the shares of optimal tours by size, as SVG");
  app->add_option("--report", command->report,
                  "write figures, tables and pictures of tours to this HTML page");
  app->add_flag("--json", command->json, "print one JSON object");
  app->footer(
      "Optimal tours are those that come with the instances, or are found by the exact solver.\n"
      "Example: floydnet tsp sample berlin.tsp --samples 10 --report tours.html\n"
      "         floydnet tsp sample tsp-data/020.npz --run runs/tsp --samples 10\n"
      "         floydnet tsp sample berlin.tsp --checkpoint epoch.pt --config model_config.json");
  app->callback([command] { run_sample(*command); });
}

}  // namespace floydnet::tsp
