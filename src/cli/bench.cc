// floydnet bench: how fast and how lean the operator, the block and a training step are, beside
// what libtorch's operators give.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "base/json_text.h"
#include "bench/child.h"
#include "bench/suites.h"
#include "bench/task_step.h"
#include "cli/commands.h"
#include "cli/loaded_run.h"
#include "console/settings.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

using namespace bench;
using Json = nlohmann::json;

// --- options ---

/// What all measurements have in common.
struct Common {
  SuiteOptions suite;
  std::string direction;
  bool json = false;
};

const CLI::Range kCounts(int64_t{1}, int64_t{1} << 16);
const CLI::Range kWidths(int64_t{1}, int64_t{1} << 12);

void add_common(CLI::App& command, const std::shared_ptr<Common>& common) {
  command
      .add_option("--seconds", common->suite.seconds,
                  "time for each case and direction, at least (default: 2)")
      ->check(CLI::Range(0.001, 86400.0));
  command
      .add_option("--memory-limit", common->suite.memory_limit,
                  "memory limit in GB; baselines estimated to need more are left out (default: 2)")
      ->check(CLI::Range(0.001, 1e6));
  command
      .add_option_function<std::string>(
          "--malloc",
          [common](const std::string& name) { common->suite.reuse_memory = name == "reuse"; },
          "reuse: freed memory is kept for the next run, on all sides; default: malloc as\n"
          "installed, where fresh pages cost much of the time of large cases (default: reuse)")
      ->check(CLI::IsMember({"reuse", "default"}));
  command.add_flag("--json", common->json, "print JSON instead of a table");
}

void add_direction(CLI::App& command, const std::shared_ptr<Common>& common,
                   const std::string& usual) {
  common->direction = usual;
  command
      .add_option("--direction", common->direction,
                  fmt::format("forward, forward+backward, or both of them (default: {})", usual))
      ->check(CLI::IsMember({"forward", "forward+backward", "both"}));
}

std::vector<Direction> directions_of(const Common& common) {
  if (common.direction == "forward") return {Direction::kForward};
  if (common.direction == "forward+backward") return {Direction::kForwardBackward};
  return {Direction::kForward, Direction::kForwardBackward};
}

/// Options of a case, and whether any was given.
class CaseOptions {
 public:
  explicit CaseOptions(CLI::App& command) : command_(command) {}

  void add(const std::string& name, int64_t& value, const std::string& help,
           const CLI::Range& range = kCounts) {
    options_.push_back(
        command_.add_option(name, value, fmt::format("{} (default: {})", help, value))
            ->check(range));
  }
  void add_composition(Composition& composition) {
    const std::map<std::string, Composition> names = {
        {"additive", Composition::kAdditive}, {"multiplicative", Composition::kMultiplicative}};
    options_.push_back(
        command_
            .add_option_function<std::string>(
                "--composition",
                [&composition, names](const std::string& name) { composition = names.at(name); },
                "additive or multiplicative (default: additive)")
            ->check(CLI::IsMember(std::vector<std::string>{"additive", "multiplicative"})));
  }
  bool is_any_given() const {
    for (const CLI::Option* option : options_) {
      if (option->count() > 0) return true;
    }
    return false;
  }

 private:
  CLI::App& command_;
  std::vector<CLI::Option*> options_;
};

// --- output ---

void print_json(const Json& json) { fmt::print("{}\n", json_text(json, 2)); }

Json json_of(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Result& result : results) list.push_back(result.to_json());
  return list;
}

/// What results are compared with, under the table.
void print_legend(const Result& result, const std::string& baselines) {
  fmt::print("\n{} threads, {}, FMA peak {:.1f} GFLOP/s. Minima of runs in turn; {}\n",
             result.threads, result.simd, 1e-9 * result.peak, baselines);
  if (result.load > 0.5) {
    fmt::print("The machine was busy (load {:.1f}) when this began: expect less than it can do.\n",
               result.load);
  }
}

/// Runs with a table that grows, or without; returns the results.
template <typename Run>
auto run_with_table(const Common& common, bool with_examples, const Run& run) {
  SuiteOptions suite = common.suite;
  suite.directions = directions_of(common);
  if (!common.json) {
    suite.on_result = [with_examples, first = true](const Result& result) mutable {
      if (first) print_heading(with_examples);
      first = false;
      print_row(result);
    };
  }
  return run(suite);
}

// --- attention ---

struct AttentionCommand {
  AttentionCase own;
  bool signature = false;
};

void print_signatures(const std::vector<AttentionCase>& cases, bool as_json) {
  Json list = Json::array();
  uint64_t total = fnv1a(nullptr, 0);
  for (const AttentionCase& c : cases) {
    const uint64_t own = signature(c);
    total = fnv1a(&own, sizeof(own), total);
    list.push_back({{"case", c.name()}, {"signature", fmt::format("{:016x}", own)}});
    if (!as_json) fmt::print("{:<24}{:016x}\n", c.name(), own);
    std::fflush(stdout);
  }
  const std::string all = fmt::format("{:016x}", total);
  if (as_json) {
    print_json({{"cases", list}, {"signature", all}, {"simd", simd_target()}});
  } else {
    fmt::print("{:<24}{}\n", "all", all);
  }
}

void add_attention(CLI::App& bench) {
  CLI::App* command =
      bench.add_subcommand("attention", "The operator: fused, einsum and naive, in turn");
  const auto options = std::make_shared<AttentionCommand>();
  const auto common = std::make_shared<Common>();
  const auto sizes = std::make_shared<CaseOptions>(*command);
  sizes->add("--k", options->own.order, "order of the tuples, 1 to 4",
             CLI::Range(int64_t{1}, int64_t{kMaxOrder}));
  sizes->add("--batch", options->own.batch, "graphs");
  sizes->add("--heads", options->own.heads, "heads", kWidths);
  sizes->add("--dim", options->own.dim, "width of a head", kWidths);
  sizes->add("--nodes", options->own.nodes, "nodes of each graph");
  sizes->add("--least-nodes", options->own.least_nodes,
             "if not 0, graphs have from so many nodes to --nodes; without baselines",
             CLI::Range(int64_t{0}, int64_t{1} << 16));
  sizes->add_composition(options->own.composition);
  add_common(*command, common);
  add_direction(*command, common, "both");
  command->add_flag("--signature", options->signature,
                    "no times: print checksums of outputs and gradients, the same for any number "
                    "of threads");
  command->footer(
      "Without options of its own, thirteen usual cases. A '-' stands for a baseline that would "
      "need\n"
      "more memory than the limit, or that takes graphs of equal sizes only. extra MB is beyond "
      "inputs, outputs and gradients.\n"
      "Examples: floydnet bench attention --seconds 1\n"
      "          floydnet bench attention --nodes 128 --dim 16 --heads 4 --json\n"
      "          floydnet bench attention --signature --threads 1");
  command->callback([options, common, sizes] {
    if (options->own.least_nodes > options->own.nodes) {
      throw InputError(fmt::format("--least-nodes {} is more than --nodes {}",
                                   options->own.least_nodes, options->own.nodes));
    }
    const std::vector<AttentionCase> cases = sizes->is_any_given()
                                                 ? std::vector<AttentionCase>{options->own}
                                                 : default_attention_cases();
    if (options->signature) return print_signatures(cases, common->json);
    const auto results = run_with_table(
        *common, false, [&](const SuiteOptions& suite) { return run_attention(cases, suite); });
    if (common->json) return print_json(json_of(results));
    print_legend(results.back(), "einsum and naive are libtorch's operators.");
  });
}

// --- block and training step ---

void require_divided(const BlockCase& c) {
  if (c.dim % c.heads == 0) return;
  throw InputError(fmt::format("--dim {} is not divisible by --heads {}", c.dim, c.heads));
}

void add_block_sizes(CaseOptions& sizes, BlockCase& c) {
  sizes.add("--dim", c.dim, "width of the states, all heads together", kWidths);
  sizes.add("--heads", c.heads, "heads", kWidths);
  sizes.add("--nodes", c.nodes, "nodes of each graph");
  sizes.add("--batch", c.batch, "graphs");
}

void add_precision(CLI::App& command) {
  command
      .add_option_function<std::string>(
          "--precision",
          [](const std::string& name) {
            set_precision(name == "bf16" ? Precision::kBfloat16 : Precision::kFloat32);
          },
          "precision of our blocks' linear maps: float32 or bf16; all else stays float32\n"
          "(default: float32)")
      ->check(CLI::IsMember({"float32", "bf16"}));
}

void add_block(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand(
      "block", "A FloydBlock beside a block of libtorch's operators with the same weights");
  const auto own = std::make_shared<BlockCase>();
  const auto common = std::make_shared<Common>();
  const auto sizes = std::make_shared<CaseOptions>(*command);
  add_block_sizes(*sizes, *own);
  add_precision(*command);
  add_common(*command, common);
  add_direction(*command, common, "both");
  command->footer(
      "Without options of its own, two usual cases. Backward gives the gradients of the input and\n"
      "of all parameters.\n"
      "Example: floydnet bench block --dim 128 --heads 8 --nodes 32 --batch 4");
  command->callback([own, common, sizes] {
    require_divided(*own);
    const std::vector<BlockCase> cases =
        sizes->is_any_given() ? std::vector<BlockCase>{*own} : default_block_cases();
    const auto results = run_with_table(
        *common, false, [&](const SuiteOptions& suite) { return run_block(cases, suite); });
    if (common->json) return print_json(json_of(results));
    print_legend(results.back(), "einsum is the plain block.");
  });
}

struct TaskOptions {
  std::string name;
  std::shared_ptr<Settings> settings = std::make_shared<Settings>();
};

void bench_task(const TaskOptions& options, const Common& common) {
  if (!is_task(options.name)) {
    throw InputError(fmt::format("--task {}: no such task to train", options.name));
  }
  LoadedRun run = make_run(options.name);
  options.settings->apply(options.name, {}, &run.config);
  const TaskStep step = run_task_step(*run.task_config, common.suite.seconds);
  if (common.json) {
    return print_json({{"task", options.name},
                       {"steps", step.steps},
                       {"seconds", step.seconds},
                       {"mean_seconds", step.mean_seconds},
                       {"examples", step.examples},
                       {"threads", at::get_num_threads()},
                       {"simd", simd_target()},
                       {"parts", step.parts}});
  }
  fmt::print(
      "{}: {:.2f} ms a step, {:.2f} on average of {}; {} examples a step; {} threads, {}\n\n",
      options.name, 1e3 * step.seconds, 1e3 * step.mean_seconds, step.steps, step.examples,
      at::get_num_threads(), simd_target());
  print_parts(step);
}

void add_train_step(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand(
      "train-step", "A whole training step of FloydNet: forward, backward, AdamW");
  const auto own = std::make_shared<TrainCase>();
  const auto common = std::make_shared<Common>();
  const auto task = std::make_shared<TaskOptions>();
  const auto sizes = std::make_shared<CaseOptions>(*command);
  command->add_option("--task", task->name,
                      "the step of a task instead, with its defaults, and where its time goes");
  Settings::add_set(*command, task->settings,
                    "a setting of --task, SECTION.KEY=VALUE, as in train; may be repeated");
  add_block_sizes(*sizes, own->block);
  sizes->add("--depth", own->depth, "blocks", CLI::Range(int64_t{1}, int64_t{1024}));
  add_precision(*command);
  add_common(*command, common);
  command->footer(
      "GFLOP/s count the blocks alone. extra MB is beyond weights, gradients and the optimiser's\n"
      "moments.\n"
      "Examples: floydnet bench train-step --dim 64 --heads 4 --depth 4 --nodes 16 --batch 32\n"
      "          floydnet bench train-step --task clrs --set data.train_lengths=[16] --threads 1");
  command->callback([own, common, task, sizes] {
    if (!task->name.empty()) {
      if (sizes->is_any_given()) throw InputError("--task has its own sizes: --set changes them");
      return bench_task(*task, *common);
    }
    require_divided(own->block);
    const auto result = run_with_table(
        *common, true, [&](const SuiteOptions& suite) { return run_train_step(*own, suite); });
    if (common->json) return print_json(json_of({result}));
    print_legend(result, "einsum is the network of plain blocks.");
  });
}

// --- scaling ---

struct ScalingCommand {
  AttentionCase own;
  int64_t max_nodes = 512;
  std::string plot;
};

Json json_of(const Growth& growth) {
  const auto by_name = [](const std::map<Side, double>& exponents) {
    Json object = Json::object();
    for (const auto& [side, exponent] : exponents) object[name_of(side)] = exponent;
    return object;
  };
  return {{"time", by_name(growth.time)}, {"extra_memory", by_name(growth.memory)}};
}

void print_growth(const char* what, const std::map<Side, double>& exponents) {
  fmt::print("{:<13}", what);
  for (const auto& [side, exponent] : exponents) {
    fmt::print("   {} N^{:.2f}", name_of(side), exponent);
  }
  fmt::print("\n");
}

void add_scaling(CLI::App& bench) {
  CLI::App* command =
      bench.add_subcommand("scaling", "How time and memory of the operator grow with N");
  const auto options = std::make_shared<ScalingCommand>();
  const auto common = std::make_shared<Common>();
  options->own.heads = 1;
  CaseOptions sizes(*command);
  sizes.add("--k", options->own.order, "order of the tuples, 1 to 4",
            CLI::Range(int64_t{1}, int64_t{kMaxOrder}));
  sizes.add("--batch", options->own.batch, "graphs");
  sizes.add("--heads", options->own.heads, "heads", kWidths);
  sizes.add("--dim", options->own.dim, "width of a head", kWidths);
  sizes.add_composition(options->own.composition);
  sizes.add("--max-nodes", options->max_nodes, "N goes from 64 up to this; at least 96",
            CLI::Range(int64_t{96}, int64_t{1} << 16));
  add_common(*command, common);
  common->direction = "forward+backward";
  command
      ->add_option("--direction", common->direction,
                   "forward or forward+backward (default: forward+backward)")
      ->check(CLI::IsMember({"forward", "forward+backward"}));
  command->add_option("--plot", options->plot, "write runtime and memory against N as SVG here");
  command->footer(
      "Exponents are fitted by least squares in logarithms over all N that a side ran with.\n"
      "Example: floydnet bench scaling --max-nodes 256 --plot scaling.svg");
  command->callback([options, common] {
    if (!options->plot.empty()) require_writable(options->plot);
    const auto scaling = run_with_table(*common, false, [&](const SuiteOptions& suite) {
      return run_scaling(options->own, options->max_nodes, suite);
    });
    if (!options->plot.empty()) {
      write_file_atomically(options->plot, plot_scaling(options->own, scaling));
    }
    if (common->json) {
      return print_json({{"cases", json_of(scaling.results)}, {"growth", json_of(scaling.growth)}});
    }
    print_legend(scaling.results.back(), "einsum and naive are libtorch's operators.");
    fmt::print("\nGrowth with N:\n");
    print_growth("time", scaling.growth.time);
    print_growth("extra memory", scaling.growth.memory);
    if (!options->plot.empty()) fmt::print("\nThe plot is in {}.\n", options->plot);
  });
}

/// For the program itself, which runs it as a child to measure memory.
void add_child(CLI::App& bench) {
  CLI::App* command = bench.add_subcommand("child", "Measure the extra memory of one side");
  command->group("");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("words", *words)->required();
  command->callback([words] { fmt::print("{}\n", run_child(*words)); });
}

}  // namespace

void add_bench_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure speed and memory beside libtorch's operators and the machine's peak");
  command->require_subcommand(1);
  command->footer(
      "Run 'floydnet bench COMMAND --help' for its options.\n"
      "Example: floydnet bench attention --threads 2 --seconds 1");
  add_attention(*command);
  add_block(*command);
  add_train_step(*command);
  add_scaling(*command);
  add_child(*command);
}

}  // namespace floydnet
