#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>

#include "base/stopwatch.h"
#include "floydnet/error.h"
#include "floydnet/wl.h"
#include "wl/parallel.h"
#include "wl/plan.h"

namespace floydnet {
namespace {

/// A round of this much work is worth the threads' start; smaller pairs run side by side.
constexpr double kWorthThreads = 1e7;

double work(const WlPair& pair, int order) {
  return wl::dense_work(std::max(pair.a->nodes(), pair.b->nodes()), order);
}

WlVerdict compare_or_refuse(const WlPair& pair, const WlOptions& options) {
  try {
    return wl_compare(*pair.a, *pair.b, options);
  } catch (const InputError& error) {
    WlVerdict verdict;
    verdict.refusal = error.what();
    return verdict;
  }
}

}  // namespace

WlVerdict wl_compare(const Graph& a, const Graph& b, const WlOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  WlVerdict verdict;
  if (a.nodes() != b.nodes()) {
    verdict.distinguished = verdict.sizes_differ = true;
  } else {
    const WlRefinement refinement = wl_refine({&a, &b}, options);
    verdict.distinguished = refinement.histograms[0] != refinement.histograms[1];
    verdict.rounds = refinement.rounds;
    verdict.stable = refinement.stable;
    verdict.colours = refinement.colours;
    verdict.bytes = refinement.bytes;
    verdict.evaluated_tuples = refinement.evaluated_tuples;
    verdict.compressed = refinement.compressed;
  }
  verdict.seconds = seconds_since(start);
  return verdict;
}

std::vector<WlVerdict> wl_compare_pairs(const std::vector<WlPair>& pairs, const WlOptions& options,
                                        const std::function<void(int64_t done)>& progress) {
  std::vector<WlVerdict> verdicts(pairs.size());
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto small_end = std::stable_partition(order.begin(), order.end(), [&](size_t i) {
    return work(pairs[i], options.order) < kWorthThreads;
  });
  std::mutex progress_mutex;
  int64_t done = 0;
  const auto run = [&](size_t i, const WlOptions& its_options) {
    verdicts[i] = compare_or_refuse(pairs[i], its_options);
    const std::lock_guard<std::mutex> lock(progress_mutex);
    ++done;
    if (progress) progress(done);
  };
  WlOptions alone = options;
  alone.threads = 1;
  wl::parallel_for(options.threads, small_end - order.begin(), 1,
                   [&](int64_t begin, int64_t) { run(order[static_cast<size_t>(begin)], alone); });
  for (auto i = small_end; i != order.end(); ++i) run(*i, options);
  return verdicts;
}

}  // namespace floydnet
