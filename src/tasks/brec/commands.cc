// floydnet brec: the BREC benchmark by Reliable Paired Comparison.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "floydnet/wl.h"
#include "tasks/brec/data/data.h"
#include "tasks/brec/data/features.h"
#include "tasks/brec/data/suite.h"
#include "tasks/brec/report.h"
#include "tasks/brec/run.h"
#include "tasks/entry.h"

namespace floydnet {
namespace {

struct BrecCommand {
  std::string data, ids, out;
  std::string model = "floydnet", features = "none", fwl = "auto";
  std::optional<int64_t> dim, heads, depth, pilot;
  std::optional<double> sharpness, max_minutes;
  double max_gibibytes = 4;
  bool no_residual = false;
  brec::RunOptions run;
  bool json = false;
};

/// The pairs that were asked for, and what is known about each.
struct Input {
  std::vector<brec::Pair> pairs;
  std::vector<brec::ReportRow> rows;  // category and theory
};

std::vector<int64_t> wanted_ids(const BrecCommand& command, int64_t count) {
  if (command.ids.empty()) {
    std::vector<int64_t> all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  try {
    const std::vector<int64_t> ids = brec::parse_ids(command.ids);
    if (ids.back() < count) return ids;
    throw InputError(fmt::format("ids: {}, but the embedded suite has 0..{}; name BREC by --data",
                                 ids.back(), count - 1));
  } catch (const InputError& error) {
    throw CLI::ValidationError("--ids", error.what());
  }
}

Input read_input(const BrecCommand& command) {
  Input input;
  brec::ReportRow row;
  if (command.data.empty()) {
    std::vector<brec::SuitePair> suite = brec::embedded_suite();
    const int64_t order = brec::bounding_order(command.run.embed);
    for (const int64_t id : wanted_ids(command, static_cast<int64_t>(suite.size()))) {
      brec::SuitePair& pair = suite[static_cast<size_t>(id)];
      row.category = pair.category;
      row.nodes = pair.a.nodes();
      if (command.features == "none") row.theory = order >= pair.separating_order;
      input.pairs.push_back({id, std::move(pair.a), std::move(pair.b)});
      input.rows.push_back(row);
    }
    return input;
  }
  const std::vector<int64_t> ids = wanted_ids(command, brec::kPairs);
  std::vector<brec::Pair> all = brec::read_pairs(command.data);
  for (const int64_t id : ids) {
    row.category = brec::part_of(id).category;
    row.nodes = all[static_cast<size_t>(id)].a.nodes();
    input.pairs.push_back(std::move(all[static_cast<size_t>(id)]));
    input.rows.push_back(row);
  }
  return input;
}

void add_fwl(const BrecCommand& command, const Input& input, brec::Report& report) {
  const int64_t order = report.order();
  if (command.fwl == "no" || (command.fwl == "auto" && order > 3)) return;
  const auto start = std::chrono::steady_clock::now();
  std::vector<WlPair> views;
  for (const brec::Pair& pair : input.pairs) views.push_back({&pair.a, &pair.b});
  WlOptions options;
  options.order = static_cast<int>(order);
  options.threads = at::get_num_threads();
  Progress progress("pairs by k-FWL", static_cast<int64_t>(views.size()));
  const std::vector<WlVerdict> verdicts =
      wl_compare_pairs(views, options, [&](int64_t done) { progress.show(done); });
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].refusal.empty()) report.rows[i].fwl = verdicts[i].distinguished;
  }
  report.fwl_seconds = seconds_since(start);
}

void add_results(const BrecCommand& command, const Input& input, brec::Report& report) {
  const auto start = std::chrono::steady_clock::now();
  std::unique_ptr<brec::ResultsFolder> folder;
  if (!command.out.empty()) {
    folder = std::make_unique<brec::ResultsFolder>(command.out, command.run);
  }
  Progress progress("pairs", static_cast<int64_t>(input.pairs.size()));
  const std::vector<brec::PairResult> results =
      brec::run_pairs(input.pairs, command.run, folder.get(),
                      [&](int64_t done, double work) { progress.show(done, work); });
  for (size_t i = 0; i < results.size(); ++i) report.rows[i].result = results[i];
  report.seconds = seconds_since(start);
}

void settle_options(BrecCommand& command) {
  brec::EmbedOptions& embed = command.run.embed;
  if (command.model != "floydnet") {
    if (embed.order != 2) throw CLI::ValidationError("--k", "is for --model floydnet");
    embed.model = command.model == "gin" ? brec::ModelKind::kGin : brec::ModelKind::kSelfAttention;
  } else if (embed.order == 1) {
    embed.model = brec::ModelKind::kSelfAttention;
  }
  brec::set_defaults(embed);
  embed.dim = command.dim.value_or(embed.dim);
  embed.heads = command.heads.value_or(embed.heads);
  embed.depth = command.depth.value_or(embed.depth);
  command.run.pilot = command.pilot.value_or(embed.order == 4 ? 8 : 0);
  embed.sharpness = command.sharpness.value_or(embed.sharpness);
  embed.residual = !command.no_residual;
  if (embed.dim % embed.heads != 0) {
    throw CLI::ValidationError(
        "--dim", fmt::format("{} is not a multiple of {} heads", embed.dim, embed.heads));
  }
  embed.seed = command.run.seed;
  embed.threads = at::get_num_threads();
  embed.max_bytes = static_cast<int64_t>(command.max_gibibytes * 0x1p30);
  if (command.max_minutes) command.run.max_seconds = 60 * *command.max_minutes;
  command.run.peripheral_features = command.features == "kp";
  embed.node_reals = command.run.peripheral_features ? brec::kPeripheralFeatures : 0;
}

void run_brec(BrecCommand& command) {
  settle_options(command);
  Input input = read_input(command);
  if (command.run.peripheral_features) {
    for (brec::Pair& pair : input.pairs) {
      brec::add_peripheral_features(pair.a);
      brec::add_peripheral_features(pair.b);
    }
  }
  brec::Report report;
  report.run = command.run;
  report.rows = input.rows;
  report.is_brec = !command.data.empty();
  add_results(command, input, report);
  add_fwl(command, input, report);
  if (command.json) {
    fmt::print("{}\n", json_text(brec::report_json(report), 2));
  } else {
    fmt::print("{}", brec::report_text(report));
  }
}

void add_network_options(CLI::App& app, BrecCommand& command) {
  app.add_option("-k,--k", command.run.embed.order, "order of FloydNet's tuples (default: 2)")
      ->check(CLI::Range(1, kMaxOrder));
  app.add_option("--model", command.model, "floydnet (the default) or a baseline")
      ->check(CLI::IsMember({"floydnet", "selfattention", "gin"}));
  app.add_option("--features", command.features,
                 "node features: none (the default), or those of peripheral subgraphs (kp)")
      ->check(CLI::IsMember({"none", "kp"}));
  app.add_option("--dim", command.dim, "width of a state (default: by k)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--heads", command.heads, "attention heads (default: by k)")
      ->check(CLI::Range(1, 64));
  app.add_option("--depth", command.depth, "blocks (default: by k)")->check(CLI::Range(1, 1024));
  app.add_option("--pilot", command.pilot,
                 "copies of each graph that first determine how many blocks a pair needs; 0: use "
                 "all blocks (default: 8 for k = 4, else 0)")
      ->check(CLI::Range(0, 1024));
  app.add_option("--sharpness", command.sharpness,
                 "softmax scale as a multiple of 1/sqrt(d_h) (default: by k)")
      ->check(CLI::Range(1e-6, 1e6));
  app.add_option_function<std::string>(
         "--evaluation",
         [&command](const std::string& name) {
           for (const auto evaluation : {brec::Evaluation::kAuto, brec::Evaluation::kDense,
                                         brec::Evaluation::kCompressed}) {
             if (name == brec::name_of(evaluation)) command.run.embed.evaluation = evaluation;
           }
         },
         "FloydNet on all tuples of relabelled copies (dense), one tuple an orbit of the "
         "automorphism group (compressed), or what is cheaper (auto, the default)")
      ->check(CLI::IsMember({"auto", "dense", "compressed"}));
  app.add_flag("--no-residual", command.no_residual, "blocks without the residual connection");
}

void add_brec_command(CLI::App& app) {
  auto command = std::make_shared<BrecCommand>();
  CLI::App* brec = app.add_subcommand(
      "brec", "Count the pairs of BREC that k-FloydNet with random weights tells apart");
  brec->add_option("--data", command->data,
                   "BREC: a folder with its seven .npy files, or brec_v3.npy (default: a suite of "
                   "pairs made in code)");
  brec->add_option("--ids", command->ids, "pairs, such as 0-59,260 (default: all)");
  brec->add_option("--out", command->out,
                   "folder of results; pairs that it already holds are not run again");
  add_network_options(*brec, *command);
  brec->add_option("--copies", command->run.copies, "relabelled copies of each graph (default: 32)")
      ->check(CLI::Range(2, 4096));
  brec->add_option("--max-minutes", command->max_minutes,
                   "time limit per pair, in minutes; pairs expected to take longer are skipped "
                   "(default: none)")
      ->check(CLI::Range(0.0, 1e9));
  brec->add_option("--max-memory", command->max_gibibytes,
                   "memory limit per pair, in GiB; pairs that need more are skipped (default: 4)")
      ->check(CLI::Range(0.001, 1e6));
  brec->add_option("--seed", command->run.seed,
                   "random seed of weights and relabelings (default: 1)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 62));
  brec->add_option("--fwl", command->fwl, "compare with k-FWL: yes, no, or auto, which is k < 4")
      ->check(CLI::IsMember({"auto", "yes", "no"}));
  brec->add_flag("--json", command->json, "print one JSON object");
  brec->footer(
      "Example: floydnet brec\n"
      "         floydnet brec --data brec --k 2 --out runs/brec-k2");
  brec->callback([command] { run_brec(*command); });
}

}  // namespace

namespace brec {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "brec";
  entry.add_command = add_brec_command;
  return entry;
}

}  // namespace brec
}  // namespace floydnet
