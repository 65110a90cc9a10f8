#include "tasks/tsp/batch/solve.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "base/stopwatch.h"
#include "tasks/tsp/solver/lin_kernighan.h"
#include "wl/parallel.h"

namespace floydnet::tsp {
namespace {

class OneSolve {
 public:
  OneSolve(const Problem& problem, const SolveOptions& options, const std::atomic<bool>& stop,
           const BatchProgress& progress)
      : problem_(problem),
        options_(options),
        stop_(stop),
        progress_(progress),
        instance_(make_instance(problem)) {}

  Outcome run() {
    outcome_.begun = true;
    outcome_.scale = instance_.scale;
    if (problem_.reference) {
      outcome_.reference_length = tour_length(instance_, *problem_.reference);
    }
    options_.method == Method::kExact ? run_exact() : run_lin_kernighan();
    outcome_.seconds = seconds_since(start_);
    if (options_.unique && outcome_.proven) {
      outcome_.uniqueness = check_unique(instance_, outcome_.tour, exact_options()).uniqueness;
    }
    return std::move(outcome_);
  }

 private:
  double time_left() const { return std::max(0.0, options_.time_limit - seconds_since(start_)); }

  ExactOptions exact_options() const {
    ExactOptions exact;
    exact.seed = options_.seed;
    exact.time_limit = time_left();
    exact.stop = &stop_;
    exact.progress = progress_.search;
    return exact;
  }

  LinKernighanResult lin_kernighan_tour() const {
    LinKernighanOptions lk;
    lk.seed = options_.seed;
    lk.kicks = options_.kicks.value_or(kKicksPerCity * instance_.cities());
    lk.time_limit = time_left();
    lk.stop = &stop_;
    return lin_kernighan(instance_, lk);
  }

  void run_exact() {
    if (options_.baseline) {
      LinKernighanResult lk = lin_kernighan_tour();
      outcome_.baseline = std::move(lk.tour);
      outcome_.baseline_length = lk.length;
    }
    ExactOptions exact = exact_options();
    exact.certificate = options_.certificate;
    ExactResult result = solve_exact(instance_, exact);
    outcome_.tour = std::move(result.tour);
    outcome_.length = result.length;
    outcome_.bound = result.bound;
    outcome_.proven = result.proven;
    outcome_.nodes = result.nodes;
    outcome_.cuts = result.cuts;
    outcome_.certificate = std::move(result.certificate);
  }

  void run_lin_kernighan() {
    LinKernighanResult result = lin_kernighan_tour();
    outcome_.tour = std::move(result.tour);
    outcome_.length = result.length;
    outcome_.kicks = result.kicks;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  const std::atomic<bool>& stop_;
  const BatchProgress& progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Instance instance_;
  Outcome outcome_;
};

}  // namespace

double Outcome::gap() const {
  if (!bound) return std::numeric_limits<double>::infinity();
  if (*bound == length) return 0;
  return 100 * static_cast<double>(length - *bound) / static_cast<double>(*bound);
}

std::vector<Outcome> solve_all(const std::vector<Problem>& problems, const SolveOptions& options,
                               int threads, const std::atomic<bool>& stop,
                               const BatchProgress& progress) {
  std::vector<Outcome> outcomes(problems.size());
  std::mutex mutex;
  std::int64_t finished = 0;
  const auto solve_one = [&](std::int64_t i, std::int64_t) {
    if (stop) return;
    const auto place = static_cast<std::size_t>(i);
    outcomes[place] = OneSolve(problems[place], options, stop, progress).run();
    const std::lock_guard<std::mutex> lock(mutex);
    ++finished;
    if (progress.finished) progress.finished(finished);
  };
  wl::parallel_for(threads, static_cast<std::int64_t>(problems.size()), 1, solve_one);
  return outcomes;
}

}  // namespace floydnet::tsp
