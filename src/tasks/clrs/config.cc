#include "tasks/clrs/config.h"

#include <fmt/format.h>

#include "base/options.h"
#include "floydnet/error.h"
#include "model/config_table.h"

namespace floydnet::clrs {

OptionTable ClrsModelConfig::table() {
  OptionTable t;
  add_block_options(t, block);
  t.boolean("share_blocks", &share_blocks, "all blocks of a step have the same weights");
  t.choice<NodeReadout>("readout", &readout,
                        {{"supernode", NodeReadout::kSuperNode}, {"pool", NodeReadout::kPool}},
                        "where outputs of nodes and graphs are read");
  t.real("length_scaling", &length_scaling, {0, 4},
         "attention logits of graphs with n nodes are multiplied by (ln n / ln 16)^this");
  t.integers("comparisons", &comparisons, {1, 1'000'000},
             "numbers x of i and y of j are compared as tanh(this (x - y)), for each of these");
  t.boolean("marked_pointers", &marked_pointers,
            "nodes know whether they point to a marked node, and whether it points to them");
  t.boolean("chain_depths", &chain_depths,
            "how far nodes are from the ends of their chains of pointers is compared, too");
  t.boolean("equal_categories", &equal_categories,
            "pairs know whether their nodes are of the same class, such as the same character");
  t.boolean("relative_counts", &relative_counts,
            "inputs of nodes that are whole numbers, such as deadlines, are divided by n");
  t.boolean("running_sums", &running_sums,
            "pairs know the sums of the numbers from one node to the other");
  t.integer("steps", &steps, {0, 10000},
            "steps of the processor, which share their weights; 0: as many as the algorithm takes");
  t.integer("least_steps", &least_steps, {0, 10000},
            "if not 0, training draws the number of steps from this to `steps`");
  t.real("step_growth", &step_growth, {0, 2},
         "graphs with n nodes get (n / 16)^this times as many steps, but no fewer");
  t.choice<HintMode>(
      "hints", &hints,
      {{"none", HintMode::kNone},
       {"decoded", HintMode::kDecoded},
       {"encoded", HintMode::kEncoded},
       {"transitions", HintMode::kTransitions}},
      "not used; predicted at every step; and fed back; each step learned by itself");
  t.real("teacher_forcing", &teacher_forcing, {0, 1},
         "part of the samples that are fed true hints in training");
  t.boolean("keep_hints", &keep_hints,
            "transitions: fed hints are added to the logits of predicted ones, so that what a step "
            "does not touch stays as it is");
  t.real("hint_noise", &hint_noise, {0, 1},
         "transitions: fraction of the fed hints that is random in training");
  return t;
}

void ClrsModelConfig::check(const std::string& source) const {
  const auto refuse_if = [&source](bool wrong, const std::string& problem) {
    if (wrong) throw InputError::in(source, problem);
  };
  ClrsModelConfig copy = *this;
  copy.table().check(source);
  check_block_options(block, source);
  refuse_if(block.order != 2, "\"order\" is not 2: CLRS models have states of pairs");
  refuse_if((hints == HintMode::kDecoded || hints == HintMode::kEncoded) && steps != 0,
            "\"hints\" need \"steps\" 0: one step of the processor for each of the algorithm");
  refuse_if(hints == HintMode::kTransitions && steps != 1,
            "\"hints\" \"transitions\" need \"steps\" 1: each is a step of its own");
  refuse_if(least_steps > steps,
            fmt::format("\"least_steps\" is {}, wanted at most \"steps\", {}", least_steps, steps));
  refuse_if(hint_noise > 0 && hints != HintMode::kTransitions,
            "\"hint_noise\" needs \"hints\" \"transitions\"");
  refuse_if(teacher_forcing > 0 && hints != HintMode::kEncoded,
            "\"teacher_forcing\" needs \"hints\" \"encoded\"");
}

Hints ClrsModelConfig::trained_hints() const {
  if (hints == HintMode::kTransitions) return Hints::kTransitions;
  return hints == HintMode::kNone ? Hints::kNone : Hints::kAll;
}

Hints ClrsModelConfig::judged_hints() const {
  return hints == HintMode::kDecoded ? Hints::kNone : trained_hints();
}

ClrsModelConfig ClrsModelConfig::from_json(const nlohmann::json& json, const std::string& source) {
  ClrsModelConfig config;
  config.table().read(json, source);
  config.check(source);
  return config;
}

nlohmann::json ClrsModelConfig::to_json() const {
  ClrsModelConfig copy = *this;
  return copy.table().write();
}

ModelConfig ClrsModelConfig::default_block() {
  ModelConfig block;
  block.dim = 32;
  block.heads = 4;
  block.depth = 4;
  block.ffn_ratio = 2;
  return block;
}

}  // namespace floydnet::clrs
