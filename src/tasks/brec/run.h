// A run of Reliable Paired Comparison over many pairs, kept in a folder so that it can be resumed.
#pragma once

#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tasks/brec/data/data.h"
#include "tasks/brec/embed.h"
#include "tasks/brec/rpc.h"

namespace floydnet::brec {

struct RunOptions {
  EmbedOptions embed;
  bool peripheral_features = false;  // for the record: the graphs have them already
  int64_t copies = 32;               // q
  int64_t pilot = 0;  // copies of each graph that find out how many blocks a pair needs; 0: all
  uint64_t seed = 1;  // of the relabelings
  double max_seconds = std::numeric_limits<double>::infinity();  // that a pair may take

  /// All that results depend on; limits decide only whether there is one.
  nlohmann::json to_json() const;
};

struct PairResult {
  int64_t id = 0;
  RpcVerdict verdict;
  int64_t depth = 0;  // blocks
  double seconds = 0;
  std::string not_run = {};  // why not; empty if it was

  bool was_run() const { return not_run.empty(); }
};

/// The least number of blocks by which `options.pilot` copies of two graphs differ far more than
/// copies of one do; all blocks if there is none.
int64_t needed_depth(GraphCopies& a, GraphCopies& b, const RunOptions& options, uint64_t seed);

/// Copies of both graphs, and of the first graph twice more, embedded and compared; unless that
/// would take more time or memory than there may be.
PairResult run_pair(const Pair& pair, Embedder& embedder, const RunOptions& options);

/// Results by pair in FOLDER/pairs.jsonl, options in FOLDER/options.json.
class ResultsFolder {
 public:
  /// Makes the folder, or reads what is in it. Throws InputError if it holds results of other
  /// options or cannot be read.
  ResultsFolder(const std::string& folder, const RunOptions& options);

  /// The result of a pair of exactly these graphs, if there is one. Throws InputError if there is
  /// one of other graphs.
  std::optional<PairResult> find(const Pair& pair) const;
  void append(const Pair& pair, const PairResult& result);

 private:
  struct Stored {
    PairResult result;
    std::string graphs;
  };
  void read_results();

  std::string path_;
  std::vector<Stored> stored_;
};

/// `work` is the part, 0 to 1, of the work of all pairs that is done.
using RunProgress = std::function<void(int64_t done, double work)>;

/// Runs the pairs that `folder`, if given, has no results of. What is not run leaves no trace
/// there.
std::vector<PairResult> run_pairs(const std::vector<Pair>& pairs, const RunOptions& options,
                                  ResultsFolder* folder = nullptr,
                                  const RunProgress& progress = {});

}  // namespace floydnet::brec
