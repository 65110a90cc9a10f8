#include "tasks/tsp/judging.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "base/stopwatch.h"
#include "tasks/tsp/batch/solve.h"

namespace floydnet::tsp {
namespace {

/// An instance and what is known of it before the model sees it.
struct Given {
  size_t problem;
  Instance instance;
  Tour optimal;
};

std::vector<Given> solve(const std::vector<Problem>& problems, const std::atomic<bool>& stop) {
  std::vector<Problem> unsolved;
  for (const Problem& problem : problems) {
    if (!problem.reference) unsolved.push_back(problem);
  }
  const std::vector<Outcome> outcomes = solve_all(unsolved, {}, at::get_num_threads(), stop);
  if (stop) return {};
  std::vector<Given> given;
  size_t next = 0;
  for (size_t i = 0; i < problems.size(); ++i) {
    const Problem& problem = problems[i];
    given.push_back({i, make_instance(problem),
                     problem.reference ? *problem.reference : outcomes[next++].tour});
  }
  return given;
}

JudgedInstance judge(const Given& given, const SampledEdges& samples, double seconds,
                     uint64_t seed) {
  JudgedInstance judged;
  judged.problem = given.problem;
  judged.cities = given.instance.cities();
  judged.optimal = given.optimal;
  judged.optimum = tour_length(given.instance, given.optimal);
  judged.seconds = seconds;
  for (const std::vector<float>& scores : samples) {
    judged.samples.push_back(judge_sample(given.instance, given.optimal, scores.data()));
  }
  // Samples use all threads, Lin-Kernighan has one: it gets the same CPU time.
  const double cpu_seconds = seconds * static_cast<double>(samples.size()) * at::get_num_threads();
  judged.baselines = make_baselines(given.instance, judged.optimum, seed, cpu_seconds);
  return judged;
}

int64_t count_samples(const std::vector<SampledEdges>& sampled) {
  int64_t count = 0;
  for (const SampledEdges& one : sampled) count += static_cast<int64_t>(one.size());
  return count;
}

}  // namespace

std::vector<JudgedInstance> judge_model(EdgeModel& model, const std::vector<Problem>& problems,
                                        const SampleOptions& options, const std::atomic<bool>& stop,
                                        JudgingProgress* progress) {
  const std::vector<Given> all = solve(problems, stop);
  std::map<int, std::vector<const Given*>> by_size;
  for (const Given& one : all) by_size[one.instance.cities()].push_back(&one);
  std::vector<JudgedInstance> judged;
  for (const auto& [cities, given] : by_size) {
    if (stop) break;
    std::vector<const Instance*> instances;
    for (const Given* one : given) instances.push_back(&one->instance);
    SampleHooks hooks;
    const int64_t before = progress->sampled;
    hooks.finished = [&](int64_t done) { progress->sampled = before + done; };
    hooks.stop = [&stop] { return stop.load(); };
    const auto start = std::chrono::steady_clock::now();
    const std::vector<SampledEdges> sampled = sample_edges(model, instances, options, hooks);
    const double seconds =
        seconds_since(start) / static_cast<double>(std::max<int64_t>(1, count_samples(sampled)));
    std::vector<JudgedInstance> of_size(sampled.size());
    at::parallel_for(0, static_cast<int64_t>(sampled.size()), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        of_size[i] = judge(*given[i], sampled[i], seconds, options.seed);
        ++progress->judged;
      }
    });
    std::move(of_size.begin(), of_size.end(), std::back_inserter(judged));
  }
  return judged;
}

}  // namespace floydnet::tsp
