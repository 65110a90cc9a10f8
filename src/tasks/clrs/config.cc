#include "tasks/clrs/config.h"

#include <fmt/format.h>

#include "base/options.h"
#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

OptionTable table_of(ClrsModelConfig& c) {
  OptionTable t;
  t.integer("dim", &c.dim, {1, 4096}, "d_r: width of a pair's state, a multiple of `heads`");
  t.integer("heads", &c.heads, {1, 4096}, "attention heads");
  t.integer("depth", &c.depth, {1, 1000}, "FloydBlocks in a step");
  t.integer("ffn_ratio", &c.ffn_ratio, {1, 64}, "width of the feed-forward branch over `dim`");
  t.choice<NormKind>("norm", &c.norm,
                     {{"layernorm", NormKind::kLayer}, {"rmsnorm", NormKind::kRms}},
                     "normalisation in the blocks");
  t.boolean("share_blocks", &c.share_blocks, "all blocks of a step have the same weights");
  t.choice<NodeReadout>("readout", &c.readout,
                        {{"supernode", NodeReadout::kSuperNode}, {"pool", NodeReadout::kPool}},
                        "where outputs of nodes and graphs are read");
  t.real("length_scaling", &c.length_scaling, {0, 4},
         "attention logits of graphs with n nodes are multiplied by (ln n / ln 16)^this");
  t.integer("steps", &c.steps, {0, 10000},
            "steps of the processor, which share their weights; 0: as many as the algorithm takes");
  t.integer("least_steps", &c.least_steps, {0, 10000},
            "if not 0, training draws the number of steps from this to `steps`");
  t.real("step_growth", &c.step_growth, {0, 2},
         "graphs with n nodes get (n / 16)^this times as many steps, but no fewer");
  t.choice<HintMode>(
      "hints", &c.hints,
      {{"none", HintMode::kNone}, {"decoded", HintMode::kDecoded}, {"encoded", HintMode::kEncoded}},
      "not used; predicted at every step; and fed back");
  t.real("teacher_forcing", &c.teacher_forcing, {0, 1},
         "part of the samples that are fed true hints in training");
  return t;
}

void check_combinations(const ClrsModelConfig& c, const std::string& source) {
  const auto refuse_if = [&source](bool wrong, const std::string& problem) {
    if (wrong) throw InputError::in(source, problem);
  };
  refuse_if(c.dim % c.heads != 0,
            fmt::format("\"dim\" is {}, wanted a multiple of \"heads\", {}", c.dim, c.heads));
  refuse_if(c.hints != HintMode::kNone && c.steps != 0,
            "\"hints\" need \"steps\" 0: one step of the processor for each of the algorithm");
  refuse_if(
      c.least_steps > c.steps,
      fmt::format("\"least_steps\" is {}, wanted at most \"steps\", {}", c.least_steps, c.steps));
  refuse_if(c.teacher_forcing > 0 && c.hints != HintMode::kEncoded,
            "\"teacher_forcing\" needs \"hints\" \"encoded\"");
}

}  // namespace

ClrsModelConfig ClrsModelConfig::from_json(const nlohmann::json& json, const std::string& source) {
  ClrsModelConfig config;
  table_of(config).read(json, source);
  check_combinations(config, source);
  return config;
}

nlohmann::json ClrsModelConfig::to_json() const {
  ClrsModelConfig copy = *this;
  return table_of(copy).write();
}

std::string ClrsModelConfig::describe() {
  ClrsModelConfig defaults;
  return table_of(defaults).describe();
}

ModelConfig ClrsModelConfig::block() const {
  ModelConfig block;
  block.dim = dim;
  block.heads = heads;
  block.depth = depth;
  block.norm = norm;
  block.ffn_ratio = ffn_ratio;
  return block;
}

}  // namespace floydnet::clrs
