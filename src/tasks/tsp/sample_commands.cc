// floydnet tsp sample
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "base/stopwatch.h"
#include "console/exit_code.h"
#include "console/interruptible.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "tasks/tsp/batch/inputs.h"
#include "tasks/tsp/batch/solve.h"
#include "tasks/tsp/commands.h"
#include "tasks/tsp/edges/judge.h"
#include "tasks/tsp/sampler.h"
#include "tasks/tsp/stored_model.h"

namespace floydnet::tsp {
namespace {

using Json = nlohmann::json;

struct SampleCommand {
  std::string run, checkpoint, config;
  std::vector<std::string> files;
  SampleOptions options;
  std::string csv, plot;
  bool json = false;
};

StoredEdgeModel open_model(const SampleCommand& command) {
  if (command.run.empty() == command.checkpoint.empty()) {
    throw CLI::ValidationError("--run", "wanted, or --checkpoint with --config instead");
  }
  if (!command.run.empty()) return load_edge_model(command.run);
  if (command.config.empty()) {
    throw CLI::ValidationError("--checkpoint", "needs --config, its model_config.json");
  }
  return import_edge_model(command.checkpoint, command.config);
}

/// Optimal tours: those that came with the instances, or else the exact solver's.
struct Solved {
  std::vector<Instance> instances;
  std::vector<Tour> optimal;
};

Solved solve_inputs(const std::vector<Problem>& problems, const std::atomic<bool>& stop) {
  Solved solved;
  SolveOptions options;
  std::vector<Problem> unsolved;
  for (const Problem& problem : problems) {
    solved.instances.push_back(make_instance(problem));
    if (!problem.reference) unsolved.push_back(problem);
  }
  const std::vector<Outcome> outcomes = solve_all(unsolved, options, at::get_num_threads(), stop);
  size_t next = 0;
  for (const Problem& problem : problems) {
    solved.optimal.push_back(problem.reference ? *problem.reference : outcomes[next++].tour);
  }
  return solved;
}

/// Instances of one size at a time, so that the time of a sample is that of its size.
std::vector<JudgedInstance> judge_all(EdgeModel& model, const Solved& solved,
                                      const SampleCommand& command, const std::atomic<bool>& stop,
                                      std::atomic<int64_t>& finished) {
  std::map<int, std::vector<size_t>> by_size;
  for (size_t i = 0; i < solved.instances.size(); ++i) {
    by_size[solved.instances[i].cities()].push_back(i);
  }
  std::vector<JudgedInstance> judged;
  for (const auto& [cities, places] : by_size) {
    std::vector<const Instance*> instances;
    for (const size_t place : places) instances.push_back(&solved.instances[place]);
    SampleHooks hooks;
    const int64_t before = finished;
    hooks.finished = [&finished, before](int64_t done) { finished = before + done; };
    hooks.stop = [&stop] { return stop.load(); };
    const auto start = std::chrono::steady_clock::now();
    const std::vector<SampledEdges> sampled =
        sample_edges(model, instances, command.options, hooks);
    int64_t samples = 0;
    for (const SampledEdges& of_instance : sampled) {
      samples += static_cast<int64_t>(of_instance.size());
    }
    const double seconds =
        seconds_since(start) / static_cast<double>(std::max<int64_t>(1, samples));
    for (size_t i = 0; i < sampled.size(); ++i) {
      const Instance& instance = *instances[i];
      JudgedInstance one;
      one.cities = cities;
      one.optimum = tour_length(instance, solved.optimal[places[i]]);
      one.seconds = seconds;
      for (const std::vector<float>& scores : sampled[i]) {
        one.samples.push_back(judge_sample(instance, solved.optimal[places[i]], scores.data()));
      }
      one.baselines = make_baselines(instance, command.options.seed,
                                     seconds * static_cast<double>(one.samples.size()));
      judged.push_back(std::move(one));
    }
    if (stop) break;
  }
  return judged;
}

std::string csv_text(const std::vector<JudgedInstance>& judged) {
  std::string text = "cities,optimum,sample,decoded,strict,f1,merged,repaired,seconds\n";
  for (const JudgedInstance& one : judged) {
    for (size_t s = 0; s < one.samples.size(); ++s) {
      const JudgedSample& sample = one.samples[s];
      const std::string strict =
          sample.kind == Decoded::kTour ? std::to_string(sample.strict) : std::string();
      text += fmt::format("{},{},{},{},{},{:.4f},{},{},{:.6f}\n", one.cities, one.optimum, s + 1,
                          name_of(sample.kind), strict, sample.f1, sample.greedy, sample.repaired,
                          one.seconds);
    }
  }
  return text;
}

void run_sample(const SampleCommand& command) {
  auto [model, trained] = open_model(command);
  const std::vector<Problem> problems = read_inputs(command.files, command.options.seed);
  for (const std::string& path : {command.csv, command.plot}) {
    if (!path.empty()) require_writable(path);
  }
  EdgeModel& edges = model;
  const int64_t samples = edges->options().mode == Mode::kOneShot ? 1 : command.options.samples;
  std::vector<JudgedInstance> judged;
  std::atomic<int64_t> finished{0};
  Progress progress("samples", samples * static_cast<int64_t>(problems.size()));
  const int signal = run_interruptibly(
      [&](const std::atomic<bool>& stop) {
        const Solved solved = solve_inputs(problems, stop);
        if (!stop) judged = judge_all(edges, solved, command, stop, finished);
      },
      [&] { progress.show(finished); });
  if (!judged.empty()) {
    const record::Table strict = judged_table(judged), baselines = baselines_table(judged);
    if (!command.csv.empty()) write_file_atomically(command.csv, csv_text(judged));
    if (!command.plot.empty()) write_file_atomically(command.plot, judged_svg(judged, trained));
    if (command.json) {
      fmt::print("{}\n", json_text(Json{{"samples", samples},
                                        {"steps", command.options.steps},
                                        {"threads", at::get_num_threads()},
                                        {"tables", {to_json(strict), to_json(baselines)}}},
                                   2));
    } else {
      fmt::print("{}\n{}", text_table(strict), text_table(baselines));
    }
  }
  if (signal != 0) throw ExitCode{128 + signal};
}

}  // namespace

void add_sample_command(CLI::App& tsp) {
  auto command = std::make_shared<SampleCommand>();
  CLI::App* app = tsp.add_subcommand("sample", "Draw tours from a trained model, and judge them");
  app->add_option("instances", command->files, "as for 'floydnet tsp solve'")->required();
  app->add_option("--run", command->run, "a run of 'floydnet train tsp', or a file of its weights");
  app->add_option("--checkpoint", command->checkpoint,
                  "a published checkpoint (.pt) instead of a run");
  app->add_option("--config", command->config, "its model_config.json");
  app->add_option("--samples", command->options.samples, "of each instance (default: 1)")
      ->check(CLI::Range(int64_t{1}, int64_t{100000}));
  app->add_option("--steps", command->options.steps, "of diffusion (default: 50)")
      ->check(CLI::Range(int64_t{1}, int64_t{10000}));
  app->add_option("--eta", command->options.eta,
                  "noise added in each step: 1, as much as was there, to 0, none (default: 1)")
      ->check(CLI::Range(0.0, 1.0));
  app->add_option("--seed", command->options.seed, "of the noise (default: 1)");
  app->add_option("--csv", command->csv, "write a line for each sample to this file");
  app->add_option("--plot", command->plot, "draw the shares of optimal tours by size, as SVG");
  app->add_flag("--json", command->json, "print one JSON object");
  app->footer(
      "Optimal tours are those that come with the instances, or are found by the exact solver.\n"
      "Example: floydnet tsp sample tsp-data/020.npz --run runs/tsp --samples 10\n"
      "         floydnet tsp sample berlin.tsp --checkpoint epoch.pt --config model_config.json");
  app->callback([command] { run_sample(*command); });
}

}  // namespace floydnet::tsp
