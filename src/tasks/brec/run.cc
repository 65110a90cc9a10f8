#include "tasks/brec/run.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/hash.h"
#include "base/options_file.h"
#include "base/stopwatch.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "record/json_lines.h"
#include "wl/automorphisms.h"

namespace floydnet::brec {
namespace {

using nlohmann::json;

/// Added to a pair's seed, so that its pilot has other copies.
constexpr uint64_t kPilotSeed = uint64_t{1} << 62;

const char* name_of(ModelKind kind) {
  if (kind == ModelKind::kGin) return "gin";
  return kind == ModelKind::kSelfAttention ? "selfattention" : "floydnet";
}

/// Tells pairs of graphs apart (64 bits, FNV-1a of their graph6), features left out.
std::string fingerprint(const Pair& pair) {
  uint64_t hash = kFnvStart;
  for (const Graph* graph : {&pair.a, &pair.b}) {
    const std::string line = format_graph(*graph, GraphFormat::kGraph6) + "\n";
    hash = fnv1a(line.data(), line.size(), hash);
  }
  return fmt::format("{:016x}", hash);
}

/// What a pair takes beside others: pivots of all tuples, or of one in each orbit.
double work_of(const Pair& pair, const EmbedOptions& options) {
  const auto nodes = static_cast<double>(pair.a.nodes());
  double tuples = std::pow(nodes, static_cast<double>(options.order));
  if (options.model == ModelKind::kFloydNet && options.evaluation != Evaluation::kDense) {
    // An orbit has at most as many tuples as the group has elements, most have that many.
    tuples = std::max(tuples / wl::Automorphisms(pair.a).stabiliser({}).order, 1.0);
  }
  return tuples * nodes + 1000;
}

}  // namespace

json RunOptions::to_json() const {
  return {{"model", name_of(embed.model)},
          {"k", embed.order},
          {"dim", embed.dim},
          {"heads", embed.heads},
          {"depth", embed.depth},
          {"sharpness", embed.sharpness},
          {"residual", embed.residual},
          {"evaluation", name_of(embed.evaluation)},
          {"features", peripheral_features ? "kp" : "none"},
          {"copies", copies},
          {"pilot", pilot},
          {"seed", seed}};
}

int64_t needed_depth(GraphCopies& a, GraphCopies& b, const RunOptions& options, uint64_t seed) {
  constexpr double kFarMore = 1000;
  const auto range = [](const torch::Tensor& x) {
    return std::get<0>(x.max(0)) - std::get<0>(x.min(0));
  };
  for (int64_t depth = 1; depth < options.embed.depth && options.pilot > 0; ++depth) {
    const torch::Tensor of_a = a.embed(options.pilot, seed, depth);
    const torch::Tensor of_b = b.embed(options.pilot, seed + 1, depth);
    const torch::Tensor apart = (of_a.mean(0) - of_b.mean(0)).abs();
    if ((apart > kFarMore * torch::max(range(of_a), range(of_b))).any().item<bool>()) return depth;
  }
  return options.embed.depth;
}

PairResult run_pair(const Pair& pair, Embedder& embedder, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  PairResult result;
  result.id = pair.id;
  try {
    const std::unique_ptr<GraphCopies> a = embedder.prepare(pair.a), b = embedder.prepare(pair.b);
    const double predicted =
        static_cast<double>(options.copies) * (3 * a->seconds_per_copy() + b->seconds_per_copy());
    if (predicted > options.max_seconds) {
      result.not_run = fmt::format("would take some {:.0f} minutes, the limit is {:g}",
                                   predicted / 60, options.max_seconds / 60);
      return result;
    }
    const uint64_t seed = 2 * (options.seed * 1000003 + static_cast<uint64_t>(pair.id));
    result.depth = needed_depth(*a, *b, options, seed + kPilotSeed);
    const std::vector<torch::Tensor> sets =
        a->embed(3 * options.copies, seed, result.depth).chunk(3);
    const torch::Tensor others = b->embed(options.copies, seed + 1, result.depth);
    result.verdict = rpc_verdict(hotelling_t2(sets[0] - others), hotelling_t2(sets[1] - sets[2]));
  } catch (const InputError& error) {
    result.not_run = error.what();
  }
  result.seconds = seconds_since(start);
  return result;
}

ResultsFolder::ResultsFolder(const std::string& folder, const RunOptions& options)
    : path_(folder + "/pairs.jsonl") {
  keep_options(folder, options.to_json());
  read_results();
}

void ResultsFolder::read_results() {
  record::read_json_lines(path_, [this](const json& row) {
    Stored stored;
    stored.graphs = row.at("graphs").get<std::string>();
    stored.result.id = row.at("id").get<int64_t>();
    stored.result.depth = row.at("depth").get<int64_t>();
    stored.result.seconds = row.at("seconds").get<double>();
    stored.result.verdict = rpc_verdict(record::number_or_nan(row.at("t2_test")),
                                        record::number_or_nan(row.at("t2_reliability")));
    stored_.push_back(stored);
  });
}

std::optional<PairResult> ResultsFolder::find(const Pair& pair) const {
  for (const Stored& stored : stored_) {
    if (stored.result.id != pair.id) continue;
    if (stored.graphs != fingerprint(pair)) {
      throw InputError::in(path_, fmt::format("the result of pair {} is of other graphs; give "
                                              "another --out folder",
                                              pair.id));
    }
    return stored.result;
  }
  return std::nullopt;
}

void ResultsFolder::append(const Pair& pair, const PairResult& result) {
  record::append_json_line(path_,
                           {{"id", result.id},
                            {"nodes", pair.a.nodes()},
                            {"depth", result.depth},
                            {"t2_test", record::number_or_null(result.verdict.test)},
                            {"t2_reliability", record::number_or_null(result.verdict.reliability)},
                            {"distinguished", result.verdict.distinguished},
                            {"reliable", result.verdict.reliable},
                            {"seconds", result.seconds},
                            {"graphs", fingerprint(pair)}});
}

std::vector<PairResult> run_pairs(const std::vector<Pair>& pairs, const RunOptions& options,
                                  ResultsFolder* folder, const RunProgress& progress) {
  std::vector<PairResult> results(pairs.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::optional<PairResult> known =
        folder != nullptr ? folder->find(pairs[i]) : std::nullopt;
    known ? void(results[i] = *known) : open.push_back(i);
  }
  std::vector<double> work(pairs.size());
  for (const size_t i : open) work[i] = work_of(pairs[i], options.embed);
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  double done = 0;
  const std::unique_ptr<Embedder> embedder = make_embedder(options.embed);
  int64_t finished = static_cast<int64_t>(pairs.size() - open.size());
  for (const size_t i : open) {
    results[i] = run_pair(pairs[i], *embedder, options);
    if (folder != nullptr && results[i].was_run()) folder->append(pairs[i], results[i]);
    done += work[i];
    if (progress) progress(++finished, done / total);
  }
  return results;
}

}  // namespace floydnet::brec
