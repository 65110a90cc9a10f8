#include <fmt/format.h>

#include "base/options.h"
#include "floydnet/error.h"
#include "floydnet/model.h"
#include "model/config_table.h"

namespace floydnet {
namespace {

constexpr int64_t kMany = 1'000'000;
constexpr double kLargest = 1e300;  // finite, since JSON has no infinity

void add_input_options(OptionTable& t, ModelConfig& c) {
  t.boolean("supernode", &c.supernode, "one extra node of a type of its own");
  t.integers("node_categories", &c.node_categories, {1, kMany},
             "number of categories of each categorical node feature");
  t.integer("node_reals", &c.node_reals, {0, kMany}, "real node features");
  t.boolean("adjacency", &c.adjacency, "whether there is an edge is a pair feature");
  t.integers("pair_categories", &c.pair_categories, {1, kMany},
             "number of categories of each categorical pair feature");
  t.integer("pair_reals", &c.pair_reals, {0, kMany}, "real pair features");
  t.integers("graph_categories", &c.graph_categories, {1, kMany},
             "number of categories of each categorical graph feature");
  t.integer("graph_reals", &c.graph_reals, {0, kMany}, "real graph features");
  t.choice<PairDirections>("pair_directions", &c.pair_directions,
                           {{"auto", PairDirections::kAuto},
                            {"forward", PairDirections::kForward},
                            {"both", PairDirections::kBoth}},
                           "pair features that a tuple sees: E_ab for a < b, or for all a != b; "
                           "auto: forward up to order 2, both above");
  t.choice<NodePlacement>("node_placement", &c.node_placement,
                          {{"everywhere", NodePlacement::kEverywhere},
                           {"supernode_pairs", NodePlacement::kSuperNodePairs}},
                          "tuples that see node features: all, or those whose other "
                          "coordinates are the SuperNode (the published code's)");
  t.integer("init_layers", &c.init_layers, {1, 100}, "layers of Init's MLP");
}

void add_readout_options(OptionTable& t, ModelConfig& c) {
  t.choice<Readout>("readout", &c.readout,
                    {{"supernode", Readout::kSuperNode},
                     {"sum", Readout::kSum},
                     {"mean", Readout::kMean},
                     {"diagonal", Readout::kDiagonal}},
                    "node i from R_is and graph from R_ss; pooled over the tuples they are in; "
                    "diagonal: from R_ii, and from the sum of these tuples");
  t.optional_real("readout_nodes", &c.readout_nodes, {1, kLargest},
                  "m: sums over c coordinates of tuples are divided by m^c, so that those of a "
                  "graph of m nodes are means; null: 1");
  t.boolean("readout_edges_only", &c.readout_edges_only,
            "only the states of edges are read out (order 2; the published code's)");
  t.integer("graph_outputs", &c.graph_outputs, {0, kMany}, "outputs for each graph");
  t.integer("node_outputs", &c.node_outputs, {0, kMany}, "outputs for each node");
  t.integer("pair_outputs", &c.pair_outputs, {0, kMany}, "outputs for each ordered pair");
  t.integer("head_layers", &c.head_layers, {1, 100}, "layers of the output heads' MLPs");
}

OptionTable table_of(ModelConfig& config) {
  OptionTable table;
  add_block_options(table, config);
  add_input_options(table, config);
  add_readout_options(table, config);
  return table;
}

void check_combinations(const ModelConfig& c, const std::string& source) {
  const auto refuse_if = [&source](bool wrong, const std::string& problem) {
    if (wrong) throw InputError::in(source, problem);
  };
  check_block_options(c, source);
  refuse_if(c.readout_edges_only && c.order != 2, "\"readout_edges_only\" needs \"order\" 2");
  refuse_if(c.readout == Readout::kSuperNode && !c.supernode,
            "\"readout\" \"supernode\" needs \"supernode\" true");
  refuse_if(c.readout == Readout::kDiagonal && c.readout_edges_only,
            "\"readout\" \"diagonal\" reads more than edges, without \"readout_edges_only\"");
  refuse_if(c.node_placement == NodePlacement::kSuperNodePairs && !c.supernode,
            "\"node_placement\" \"supernode_pairs\" needs \"supernode\" true");
  refuse_if(c.pair_outputs > 0 && c.order == 1, "\"pair_outputs\" need \"order\" 2 or more");
}

}  // namespace

void add_block_options(OptionTable& t, ModelConfig& c) {
  t.integer("order", &c.order, {1, kMaxOrder}, "k: states are of ordered k-tuples of nodes");
  t.integer("dim", &c.dim, {1, kMany}, "d_r: width of a state, a multiple of `heads`");
  t.integer("heads", &c.heads, {1, kMany}, "attention heads");
  t.integer("depth", &c.depth, {0, kMany}, "number of FloydBlocks");
  t.choice<NormKind>("norm", &c.norm,
                     {{"layernorm", NormKind::kLayer},
                      {"rmsnorm", NormKind::kRms},
                      {"batchnorm", NormKind::kBatch},
                      {"affine", NormKind::kAffine},
                      {"none", NormKind::kNone}},
                     "normalisation in the blocks; affine scales and shifts only");
  t.choice<NormPosition>("norm_position", &c.norm_position,
                         {{"pre", NormPosition::kPre}, {"post", NormPosition::kPost}},
                         "before each branch, or after its residual sum");
  t.real("norm_eps", &c.norm_eps, {0, 1}, "added to the variance");
  t.boolean("qk_norm", &c.qk_norm, "RMS-normalise queries and the keys of each role, by head");
  t.choice<Composition>(
      "composition", &c.composition,
      {{"additive", Composition::kAdditive}, {"multiplicative", Composition::kMultiplicative}},
      "how the roles of a pivot combine");
  t.optional_real("scale", &c.scale, {-kLargest, kLargest},
                  "factor of the attention logits; null: 1/sqrt(d_h)");
  t.real("logit_cap", &c.logit_cap, {0, kLargest}, "cap * tanh(logit / cap); 0: none");
  t.boolean("linear_bias", &c.linear_bias, "bias terms in the blocks' linear maps");
  t.boolean("ffn", &c.ffn, "whether blocks have a feed-forward branch");
  t.integer("ffn_ratio", &c.ffn_ratio, {1, 1024}, "width of that branch over `dim`");
  t.choice<Activation>(
      "activation", &c.activation,
      {{"gelu", Activation::kGelu}, {"relu", Activation::kRelu}, {"silu", Activation::kSilu}},
      "in Init, feed-forward branch and output heads");
  t.real("dropout", &c.dropout, {0, 0.999}, "on the outputs of both branches");
  t.real("attention_dropout", &c.attention_dropout, {0, 0.999}, "on the attention weights");
  t.boolean("symmetric_mix", &c.symmetric_mix,
            "attend to Norm(R + W R^T), W zero at first (order 2; the published code's)");
  t.boolean("ffn_scale", &c.ffn_scale,
            "a learned factor on the feed-forward branch (the published code's)");
  t.boolean("zero_residual", &c.zero_residual,
            "branches start at zero, so blocks start as identity");
  t.boolean("recompute", &c.recompute,
            "recompute activations in backward: less memory, one more forward pass");
}

void check_block_options(const ModelConfig& c, const std::string& source) {
  const auto refuse_if = [&source](bool wrong, const std::string& problem) {
    if (wrong) throw InputError::in(source, problem);
  };
  refuse_if(c.dim % c.heads != 0,
            fmt::format("\"dim\" is {}, wanted a multiple of \"heads\", {}", c.dim, c.heads));
  refuse_if(c.symmetric_mix && c.order != 2, "\"symmetric_mix\" needs \"order\" 2");
  refuse_if(c.recompute && c.norm == NormKind::kBatch,
            "\"recompute\" with \"norm\" \"batchnorm\" would update its running statistics twice");
}

void ModelConfig::check(const std::string& source) const {
  ModelConfig copy = *this;
  table_of(copy).check(source);
  check_combinations(*this, source);
}

ModelConfig ModelConfig::from_json(const nlohmann::json& json, const std::string& source) {
  ModelConfig config;
  table_of(config).read(json, source);
  check_combinations(config, source);
  return config;
}

nlohmann::json ModelConfig::to_json() const {
  ModelConfig copy = *this;
  return table_of(copy).write();
}

std::string ModelConfig::describe() {
  ModelConfig defaults;
  return table_of(defaults).describe();
}

}  // namespace floydnet
