// floydnet tsp solve
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "console/exit_code.h"
#include "console/interruptible.h"
#include "console/progress.h"
#include "console/status_line.h"
#include "floydnet/error.h"
#include "tasks/tsp/batch/inputs.h"
#include "tasks/tsp/batch/outputs.h"
#include "tasks/tsp/batch/report.h"
#include "tasks/tsp/commands.h"
#include "tasks/tsp/data/problem_file.h"

namespace floydnet::tsp {
namespace {

struct SolveCommand {
  std::vector<std::string> files;
  std::string method = "exact";
  std::string reference;
  std::optional<double> time_limit;
  SolveOptions options;
  OutputPaths outputs;
  bool summary = false;
  bool json = false;
};

std::vector<Problem> all_problems(const SolveCommand& command) {
  std::vector<Problem> problems = read_inputs(command.files, command.options.seed);
  if (command.reference.empty()) return problems;
  if (problems.size() != 1) {
    throw InputError::in(command.reference, "a reference tour is for one instance, not for " +
                                                std::to_string(problems.size()));
  }
  problems[0].reference = read_tour(command.reference, problems[0].cities());
  return problems;
}

/// How far a batch has come: instances, or the bounds if there is just one.
class SolveDisplay {
 public:
  explicit SolveDisplay(std::size_t instances)
      : single_(instances == 1),
        batch_("instances", static_cast<std::int64_t>(instances)),
        line_(StatusLine::usual_patience()) {}

  BatchProgress hooks() {
    BatchProgress hooks;
    hooks.finished = [this](std::int64_t finished) { finished_ = finished; };
    if (!single_) return hooks;
    hooks.search = [this](const ExactProgress& search) {
      const std::lock_guard<std::mutex> lock(mutex_);
      search_ = search;
    };
    return hooks;
  }

  void show() {
    if (!single_) return batch_.show(finished_);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!search_ || !line_.due()) return;
    line_.show(fmt::format("floydnet: best {}, bound {}, {} nodes, {} of them open, {:.0f} s",
                           search_->best, search_->bound, search_->nodes, search_->open,
                           seconds_since(start_)));
  }

 private:
  bool single_;
  Progress batch_;
  StatusLine line_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> finished_{0};
  std::mutex mutex_;
  std::optional<ExactProgress> search_;
};

void settle_solve_options(SolveCommand& command) {
  SolveOptions& options = command.options;
  if (command.method == "lk") {
    options.method = Method::kLinKernighan;
    if (options.unique) throw CLI::ValidationError("--unique", "is for --method exact");
    if (!command.outputs.certificate.empty()) {
      throw CLI::ValidationError("--certificate", "is for --method exact");
    }
  }
  if (command.time_limit) options.time_limit = *command.time_limit;
  options.certificate = !command.outputs.certificate.empty();
  options.baseline = options.method == Method::kExact && !command.outputs.plot.empty();
}

void run_solve(SolveCommand& command) {
  settle_solve_options(command);
  const std::vector<Problem> problems = all_problems(command);
  const Outputs outputs(command.outputs, problems);
  const auto start = std::chrono::steady_clock::now();
  std::vector<Outcome> outcomes;
  int signal = 0;
  {
    SolveDisplay display(problems.size());
    signal = run_interruptibly(
        [&](const std::atomic<bool>& stop) {
          outcomes =
              solve_all(problems, command.options, at::get_num_threads(), stop, display.hooks());
        },
        [&] { display.show(); });
  }
  const SolveReport report{problems, outcomes, command.options, seconds_since(start)};
  const std::vector<std::string> without_certificate = outputs.write(outcomes);
  if (command.json) {
    fmt::print("{}\n", json_text(report_json(report), 2));
  } else {
    fmt::print("{}", report_text(report, command.summary));
  }
  if (signal != 0) throw ExitCode{128 + signal};
  if (!without_certificate.empty()) {
    throw InputError::in(without_certificate.front(),
                         fmt::format("not proven optimal, so there is no certificate ({} of {} "
                                     "instances)",
                                     without_certificate.size(), problems.size()));
  }
}

void add_search_options(CLI::App& app, SolveCommand& command) {
  app.add_option("--method", command.method,
                 "branch and cut, which proves optima (exact, the default), or chained "
                 "Lin-Kernighan (lk)")
      ->check(CLI::IsMember({"exact", "lk"}));
  app.add_option(
         "--kicks", command.options.kicks,
         fmt::format("kicks of Lin-Kernighan, with --method lk and for --plot (default: {} a "
                     "city)",
                     kKicksPerCity))
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
  app.add_option("--time-limit", command.time_limit,
                 "seconds for each instance, after which the best so far is given (default: none)")
      ->check(CLI::Range(0.0, 1e9));
  app.add_option(
         "--seed", command.options.seed,
         "random seed of the search and of the order of cities from .npy files (default: 1)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62));
  app.add_flag("--unique", command.options.unique,
               "find out whether the optimal tour is the only one");
  app.add_option("--reference", command.reference, "a TSPLIB tour to compare with");
}

void add_output_options(CLI::App& app, SolveCommand& command) {
  app.add_option("--tour", command.outputs.tour,
                 "write the tour to this TSPLIB file; of several instances, to files in this "
                 "folder, as with the next three");
  app.add_option("--certificate", command.outputs.certificate,
                 "write a proof of optimality that 'floydnet tsp verify' checks");
  app.add_option("--plot", command.outputs.plot,
                 "draw the tour, beside Lin-Kernighan's where that is longer, as SVG");
  app.add_option("--instance", command.outputs.instance,
                 "write the instance itself as TSPLIB, for other solvers");
  app.add_option("--text", command.outputs.text,
                 "write all points and tours to this file, in the text format of neural solvers");
  app.add_flag("--summary", command.summary, "print no line for each instance");
  app.add_flag("--json", command.json, "print one JSON object");
}

}  // namespace

void add_solve_command(CLI::App& tsp) {
  auto command = std::make_shared<SolveCommand>();
  CLI::App* app = tsp.add_subcommand("solve", "Find shortest tours, and prove that they are");
  app->add_option("files", command->files,
                  "TSPLIB instances, text files of neural solvers, .npy files or folders of them, "
                  ".npz files of 'floydnet data tsp'")
      ->required();
  add_search_options(*app, *command);
  add_output_options(*app, *command);
  app->footer(
      "Example: floydnet tsp solve berlin.tsp --tour berlin.tour --plot berlin.svg\n"
      "         floydnet tsp solve tsp50.txt --summary\n"
      "         floydnet tsp solve large.tsp --time-limit 60 --json");
  app->callback([command] { run_solve(*command); });
}

}  // namespace floydnet::tsp
