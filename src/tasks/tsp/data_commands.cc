// floydnet data tsp: solved instances to learn from.
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"
#include "base/ranges.h"
#include "base/stderr.h"
#include "console/exit_code.h"
#include "console/interruptible.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "record/json_lines.h"
#include "record/table.h"
#include "tasks/tsp/commands.h"
#include "tasks/tsp/dataset/maker.h"

namespace floydnet::tsp {
namespace {

using Json = nlohmann::json;

/// Fewer cities have one tour only; with more, a perturbation would do more than break ties.
constexpr std::pair<std::int64_t, std::int64_t> kSizes = {4, 499};

struct DatasetCommand {
  std::string type, filter = "none", sizes = "10-100", shard = "1/1", output;
  std::optional<std::int64_t> max_attempts;
  std::optional<double> time_limit;
  DatasetOptions options;
  bool json = false;
};

/// "2/4"
void parse_shard(const std::string& text, DatasetOptions& options) {
  const char* const stop = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), stop, options.shard);
  const bool first = error == std::errc() && slash != stop && *slash == '/';
  const auto [end, other] =
      first ? std::from_chars(slash + 1, stop, options.shards) : std::from_chars_result{};
  if (!first || other != std::errc() || end != stop || options.shard < 1 ||
      options.shard > options.shards) {
    throw CLI::ValidationError("--shard", "wanted I/N with I from 1 to N, such as 1/4");
  }
}

std::vector<std::int64_t> settle_dataset_options(DatasetCommand& command) {
  DatasetOptions& options = command.options;
  options.attempt.kind = command.type == "explicit" ? Kind::kExplicit : Kind::kEuclidean;
  for (const Filter filter : {Filter::kNone, Filter::kPerturb, Filter::kUnique}) {
    if (command.filter == name_of(filter)) options.attempt.filter = filter;
  }
  options.max_attempts = command.max_attempts.value_or(10 * options.per_size);
  if (command.time_limit) options.attempt.time_limit = *command.time_limit;
  parse_shard(command.shard, options);
  try {
    return parse_ranges(command.sizes, kSizes, "sizes");
  } catch (const InputError& error) {
    throw CLI::ValidationError("--sizes", error.what());
  }
}

/// What came of a size.
struct Yield {
  int cities = 0;
  std::int64_t tried = 0, unsolved = 0, kept = 0, unique = 0, unknown = 0;
  std::int64_t lk_optimal = 0;
  double lk_gaps = 0;  // sum, relative

  explicit Yield(const SolvedSet& set)
      : cities(set.cities),
        tried(set.tried),
        unsolved(set.unsolved),
        kept(static_cast<std::int64_t>(set.count())),
        unique(std::count(set.unique.begin(), set.unique.end(), Uniqueness::kUnique)),
        unknown(std::count(set.unique.begin(), set.unique.end(), Uniqueness::kUnknown)) {
    for (std::size_t i = 0; i < set.count(); ++i) {
      lk_optimal += set.baselines[i] == set.optima[i] ? 1 : 0;
      lk_gaps += static_cast<double>(set.baselines[i]) / static_cast<double>(set.optima[i]) - 1;
    }
  }

  static double percent(double part, std::int64_t of) {
    return of > 0 ? 100 * part / static_cast<double>(of) : NAN;
  }
  double kept_percent() const { return percent(static_cast<double>(kept), tried); }
  double lk_optimal_percent() const { return percent(static_cast<double>(lk_optimal), kept); }
  double lk_gap_percent() const { return percent(lk_gaps, kept); }

  Json to_json() const {
    return {{"cities", cities},
            {"tried", tried},
            {"unsolved", unsolved},
            {"kept", kept},
            {"yield_percent", record::number_or_null(kept_percent())},
            {"unique", unique},
            {"unknown", unknown},
            {"lk_optimal_percent", record::number_or_null(lk_optimal_percent())},
            {"lk_gap_percent", record::number_or_null(lk_gap_percent())}};
  }

  std::vector<record::Cell> row() const {
    const auto number = [](double x) {
      return std::isfinite(x) ? record::Cell(x) : record::Cell();
    };
    return {std::to_string(cities),
            tried,
            unsolved,
            kept,
            number(kept_percent()),
            unique,
            number(lk_optimal_percent()),
            number(lk_gap_percent())};
  }
};

std::string yields_text(const DatasetCommand& command, const std::vector<Yield>& yields) {
  record::Table table{
      fmt::format("{} instances, filter {}, in {}", command.type, command.filter, command.output),
      {"cities", "tried", "unsolved", "kept", "yield %", "unique optimum", "LK optimal %",
       "LK gap %"},
      {}};
  for (const Yield& yield : yields) table.rows.push_back(yield.row());
  return record::text_table(table);
}

/// Makes all sizes; the signal that ended it, or 0.
int make_sets(const DatasetMaker& maker, const std::vector<std::int64_t>& sizes) {
  const auto total = static_cast<std::int64_t>(sizes.size()) * maker.quota();
  Progress progress("instances", total);
  std::atomic<std::int64_t> done{0};
  const auto work = [&](const std::atomic<bool>& stop) {
    for (std::size_t i = 0; i < sizes.size() && !stop; ++i) {
      const std::int64_t before = static_cast<std::int64_t>(i) * maker.quota();
      maker.make(static_cast<int>(sizes[i]), at::get_num_threads(), stop,
                 [&](std::int64_t kept) { done = before + kept; });
    }
  };
  return run_interruptibly(work, [&] { progress.show(done); });
}

void run_dataset(DatasetCommand& command) {
  const std::vector<std::int64_t> sizes = settle_dataset_options(command);
  const DatasetMaker maker(command.output, command.options);
  const int signal = make_sets(maker, sizes);
  if (signal != 0) {
    say("floydnet: interrupted; run the same command to resume\n");
    throw ExitCode{128 + signal};
  }
  std::vector<Yield> yields;
  Json json = Json::array();
  for (const std::int64_t size : sizes) {
    yields.emplace_back(read_solved_set(maker.set_path(static_cast<int>(size))));
    json.push_back(yields.back().to_json());
  }
  fmt::print("{}", command.json ? json_text(json, 2) + "\n" : yields_text(command, yields));
}

void add_dataset_options(CLI::App& app, DatasetCommand& command) {
  DatasetOptions& options = command.options;
  app.add_option("--type", command.type,
                 "explicit: symmetric weights, integers uniform in [1, 100]; euclidean: different "
                 "points, integers uniform in [1, 100]^2, rounded distances")
      ->check(CLI::IsMember({"explicit", "euclidean"}))
      ->required();
  app.add_option("--sizes", command.sizes,
                 "numbers of cities, such as 10-100,150 (default: 10-100)");
  app.add_option("--per-size", options.per_size, "instances of each size (default: 1000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 31));
  app.add_option("--max-attempts", command.max_attempts,
                 "random instances that each size may take (default: 10 for each one wanted)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  app.add_option("--filter", command.filter,
                 "keep all (none, the default), those whose optimum is unique (unique), or those "
                 "whose perturbed copy has the same optimum (perturb)")
      ->check(CLI::IsMember({"none", "perturb", "unique"}));
  app.add_option("--seed", options.attempt.seed, "random seed of the instances (default: 1)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62));
  app.add_option("--shard", command.shard,
                 "make part I of N, such as 1/4; the parts may share a folder (default: 1/1)");
  app.add_option("--kicks-per-city", options.attempt.kicks_per_city,
                 "kicks per city of the Lin-Kernighan baseline (default: 10)")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 31));
  app.add_option("--time-limit", command.time_limit,
                 "seconds for each solution; instances that take longer are left out, so that the "
                 "set depends on the machine (default: none)")
      ->check(CLI::Range(0.0, 1e9));
  app.add_option("-o,--output", command.output, "folder of the sets; what is there is kept")
      ->required();
  app.add_flag("--json", command.json, "print one JSON value");
}

}  // namespace

void add_dataset_command(CLI::App& data) {
  auto command = std::make_shared<DatasetCommand>();
  CLI::App* app = data.add_subcommand("tsp", "Make solved travelling salesman problems");
  add_dataset_options(*app, *command);
  app->footer(
      "Example: floydnet data tsp --type explicit --sizes 10-20 --per-size 100 --filter unique "
      "-o tsp-data\n"
      "         floydnet data tsp --type euclidean --shard 1/4 -o tsp-data   (on the first of "
      "four machines)");
  app->callback([command] { run_dataset(*command); });
}

}  // namespace floydnet::tsp
