#include "tasks/tsp/dataset/maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/options_file.h"
#include "floydnet/error.h"
#include "record/json_lines.h"
#include "wl/parallel.h"

namespace floydnet::tsp {
namespace {

using Json = nlohmann::json;

/// What sets depend on; the part does not enter, so that parts may share a folder.
Json json_of(const DatasetOptions& options) {
  const double limit = options.attempt.time_limit;
  return {{"type", name_of(options.attempt.kind)},
          {"filter", name_of(options.attempt.filter)},
          {"seed", options.attempt.seed},
          {"per_size", options.per_size},
          {"max_attempts", options.max_attempts},
          {"kicks_per_city", options.attempt.kicks_per_city},
          {"time_limit", std::isfinite(limit) ? Json(limit) : Json()}};
}

/// Attempts of one part, made by several threads until enough of them are kept.
class AttemptPool {
 public:
  AttemptPool(const DatasetOptions& options, std::int64_t quota, std::vector<Attempt> earlier)
      : next_(options.shard - 1), step_(options.shards), end_(options.max_attempts), quota_(quota) {
    for (Attempt& attempt : earlier) add(std::move(attempt));
  }

  /// The index of the next attempt to make; none if there are enough. All before the last one that
  /// is there are made in any case: which are kept must not depend on which were done first.
  std::optional<std::int64_t> next() {
    while (attempts_.count(next_) != 0) next_ += step_;
    const bool past_last = attempts_.empty() || next_ > attempts_.rbegin()->first;
    if (next_ >= end_ || (past_last && kept_ >= quota_)) return std::nullopt;
    return std::exchange(next_, next_ + step_);
  }
  void add(Attempt attempt) {
    const std::int64_t index = attempt.index;
    const bool kept = attempt.kept;
    if (attempts_.emplace(index, std::move(attempt)).second) kept_ += kept;
  }

  std::int64_t kept() const { return std::min(kept_, quota_); }
  std::vector<Attempt> in_order() && {
    std::vector<Attempt> all;
    for (auto& [index, attempt] : attempts_) all.push_back(std::move(attempt));
    return all;
  }

 private:
  std::int64_t next_, step_, end_;
  std::int64_t quota_, kept_ = 0;
  std::map<std::int64_t, Attempt> attempts_;
};

}  // namespace

DatasetMaker::DatasetMaker(std::string folder, const DatasetOptions& options)
    : folder_(std::move(folder)), options_(options) {
  keep_options(folder_, json_of(options));
}

std::int64_t DatasetMaker::quota() const {
  return options_.per_size / options_.shards +
         (options_.shard <= options_.per_size % options_.shards ? 1 : 0);
}

std::string DatasetMaker::path(int cities, const std::string& extension) const {
  const std::string part =
      options_.shards == 1 ? "" : fmt::format(".{}-of-{}", options_.shard, options_.shards);
  return fmt::format("{}/{:03d}{}.{}", folder_, cities, part, extension);
}

std::vector<Attempt> DatasetMaker::earlier_attempts(int cities) const {
  std::vector<Attempt> attempts;
  record::read_json_lines(path(cities, "jsonl"), [&](const Json& line) {
    attempts.push_back(Attempt::from_json(line, cities));
  });
  return attempts;
}

std::vector<Attempt> DatasetMaker::all_attempts(int cities, int threads,
                                                const std::atomic<bool>& stop,
                                                const Progress& progress) const {
  AttemptPool pool(options_, quota(), earlier_attempts(cities));
  const std::string lines = path(cities, "jsonl");
  std::mutex mutex;
  const auto work = [&](std::int64_t, std::int64_t) {
    std::unique_lock<std::mutex> lock(mutex);
    while (const auto index = pool.next()) {
      if (stop) return;
      lock.unlock();
      Attempt attempt = make_attempt(options_.attempt, cities, *index, stop);
      lock.lock();
      if (stop) return;  // it may have been cut short
      record::append_json_line(lines, attempt.to_json());
      pool.add(std::move(attempt));
      if (progress) progress(pool.kept());
    }
  };
  wl::parallel_for(threads, threads, 1, work);
  return std::move(pool).in_order();
}

SolvedSet DatasetMaker::set_of(int cities, const std::vector<Attempt>& attempts) const {
  SolvedSet set;
  set.kind = options_.attempt.kind;
  set.cities = cities;
  for (const Attempt& attempt : attempts) {
    if (static_cast<std::int64_t>(set.count()) == quota()) break;
    ++set.tried;
    set.unsolved += !attempt.solved;
    if (!attempt.kept) continue;
    const auto index = static_cast<std::uint64_t>(attempt.index);
    set.append(random_problem(set.kind, cities, options_.attempt.seed, index), attempt.tour);
    set.optima.push_back(attempt.optimum);
    set.baselines.push_back(attempt.baseline);
    set.unique.push_back(attempt.unique);
    set.attempts.push_back(attempt.index);
  }
  return set;
}

bool DatasetMaker::make(int cities, int threads, const std::atomic<bool>& stop,
                        const Progress& progress) const {
  if (std::filesystem::exists(set_path(cities))) return true;
  const std::vector<Attempt> attempts = all_attempts(cities, threads, stop, progress);
  if (stop) return false;
  write_solved_set(set_path(cities), set_of(cities, attempts));
  std::filesystem::remove(path(cities, "jsonl"));
  return true;
}

}  // namespace floydnet::tsp
