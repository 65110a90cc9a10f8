// What a CLRS model is made of, as a run's configuration states it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/model.h"
#include "tasks/clrs/data/transitions.h"

namespace floydnet::clrs {

enum class HintMode {
  kNone,        // outputs are all that is learned
  kDecoded,     // hints are predicted at every step, too
  kEncoded,     // and the predictions are an input of the next step
  kTransitions  // single steps are learned, from true hints, and put together in evaluation
};

/// Where the states of nodes and of the whole graph are read.
enum class NodeReadout {
  kSuperNode,  // R_is, R_si and R_ii; R_ss
  kPool        // the means and maxima of rows and columns, and R_ii; of the nodes' states
};

struct ClrsModelConfig {
  /// Of the FloydBlocks of a step; its keys stand beside the others.
  ModelConfig block = default_block();
  bool share_blocks = false;
  NodeReadout readout = NodeReadout::kSuperNode;
  double length_scaling = 0;
  std::vector<int64_t> comparisons = {8, 64, 512};
  bool marked_pointers = false;
  bool chain_depths = false;
  bool equal_categories = false;
  bool relative_counts = false;
  bool running_sums = false;

  int64_t steps = 1;
  int64_t least_steps = 0;
  double step_growth = 0;
  HintMode hints = HintMode::kNone;
  double teacher_forcing = 0;
  bool keep_hints = true;
  double hint_noise = 0;

  /// What samples need to have.
  Hints trained_hints() const;
  Hints judged_hints() const;
  /// Whether the model is fed hints, its own ones in evaluation.
  bool feeds_hints() const { return judged_hints() != Hints::kNone; }

  /// The keys bound to this object's fields.
  OptionTable table();
  /// Throws InputError if fields contradict each other.
  void check(const std::string& source) const;
  /// Strict: an unknown key, a wrong type or a value out of range throws InputError naming
  /// `source`.
  static ClrsModelConfig from_json(const nlohmann::json& json,
                                   const std::string& source = "config");
  nlohmann::json to_json() const;

 private:
  static ModelConfig default_block();
};

}  // namespace floydnet::clrs
