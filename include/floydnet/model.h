/// \file
/// FloydNet: tuple states made by Init, refined by FloydBlocks, read out for graphs, nodes and
/// pairs.
///
///     FloydBlock   R'  = R  + PA(Norm(R))
///                  R'' = R' + FFN(Norm(R'))
///
/// States are packed: graph b of a batch owns n_b^k consecutive rows of one [rows, dim] tensor,
/// where n_b counts the SuperNode if there is one. Nothing is padded.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "floydnet/attention.h"
#include "floydnet/export.h"
#include "floydnet/graph.h"

namespace floydnet {

enum class NormKind { kLayer, kRms, kBatch, kAffine, kNone };
enum class NormPosition { kPre, kPost };
enum class Activation { kGelu, kRelu, kSilu };
enum class Readout { kSuperNode, kSum, kMean, kDiagonal };
enum class PairDirections { kAuto, kForward, kBoth };
enum class NodePlacement { kEverywhere, kSuperNodePairs };

/// How FloydBlocks compute their linear maps and those maps' gradients: kBfloat16 rounds both
/// operands of a product to 8 bits and sums in float32. All else, Pivotal Attention too, is
/// float32.
enum class Precision { kFloat32, kBfloat16 };

/// For all models of the process, as torch.set_float32_matmul_precision with "highest" or "medium"
/// is. Throws InputError where the CPU has no products of bfloat16 (AVX-512 with bf16).
FLOYDNET_EXPORT void set_precision(Precision precision);

/// Everything that determines a model's shape and function; docs/model.md explains each key.
struct FLOYDNET_EXPORT ModelConfig {
  // The tuple states and the blocks that refine them.
  int64_t order = 2;
  int64_t dim = 64;
  int64_t heads = 4;
  int64_t depth = 4;
  NormKind norm = NormKind::kLayer;
  NormPosition norm_position = NormPosition::kPre;
  double norm_eps = 1e-5;
  bool qk_norm = false;
  Composition composition = Composition::kAdditive;
  std::optional<double> scale;
  double logit_cap = 0;
  bool linear_bias = false;
  bool ffn = true;
  int64_t ffn_ratio = 4;
  Activation activation = Activation::kGelu;
  double dropout = 0;
  double attention_dropout = 0;
  bool symmetric_mix = false;
  bool ffn_scale = false;
  bool zero_residual = true;
  bool recompute = false;

  // What Init is given.
  bool supernode = false;
  std::vector<int64_t> node_categories;
  int64_t node_reals = 0;
  bool adjacency = true;
  std::vector<int64_t> pair_categories;
  int64_t pair_reals = 0;
  std::vector<int64_t> graph_categories;
  int64_t graph_reals = 0;
  PairDirections pair_directions = PairDirections::kAuto;
  NodePlacement node_placement = NodePlacement::kEverywhere;
  int64_t init_layers = 2;

  // What is read out.
  Readout readout = Readout::kSum;
  std::optional<double> readout_nodes;
  bool readout_edges_only = false;
  int64_t graph_outputs = 0;
  int64_t node_outputs = 0;
  int64_t pair_outputs = 0;
  int64_t head_layers = 1;

  /// Strict: an unknown key, a wrong type or a value out of range throws InputError naming
  /// `source`.
  static ModelConfig from_json(const nlohmann::json& json, const std::string& source = "config");
  nlohmann::json to_json() const;
  /// Throws InputError, as from_json would, if the fields break a rule.
  void check(const std::string& source = "config") const;
  /// The keys as a Markdown table.
  static std::string describe();
};

/// The inputs of a batch of graphs, packed: node rows one after the other, then pair rows (i, j) of
/// one graph after the other. Undefined tensors stand for features that there are none of.
struct GraphBatch {
  std::vector<int64_t> sizes;      ///< nodes of each graph, without a SuperNode
  torch::Tensor node_categories;   ///< [nodes, columns] int64
  torch::Tensor node_reals;        ///< [nodes, columns]
  torch::Tensor adjacency;         ///< [pairs] int64: 1 where there is an edge from i to j
  torch::Tensor pair_categories;   ///< [pairs, columns] int64
  torch::Tensor pair_reals;        ///< [pairs, columns]
  torch::Tensor graph_categories;  ///< [graphs, columns] int64
  torch::Tensor graph_reals;       ///< [graphs, columns]
  torch::Tensor wanted_pairs;      ///< [wanted] int64: rows of pairs to predict; undefined: all
  /// Init and blocks recompute their activations in backward, whatever the configuration says.
  bool recompute = false;
};

/// Packs graphs that have the same feature columns. Pairs without an edge get category 0 and real
/// 0.
FLOYDNET_EXPORT GraphBatch make_batch(const std::vector<Graph>& graphs,
                                      torch::Dtype dtype = torch::kFloat32);

/// What the model says about each graph, node and pair; undefined where it has no such outputs.
struct Predictions {
  torch::Tensor graph;  ///< [graphs, graph_outputs]
  torch::Tensor node;   ///< [nodes, node_outputs]
  torch::Tensor pair;   ///< [pairs, or wanted ones, pair_outputs]
};

class NormImpl;

/// One block on packed states; to embed PA in a network of one's own.
class FLOYDNET_EXPORT FloydBlockImpl : public torch::nn::Module {
 public:
  explicit FloydBlockImpl(const ModelConfig& config);

  /// states: [rows, dim]; pivot_bias: [order, heads or 1, rows], added to the attention logits;
  /// scale: of the logits, instead of the configuration's.
  torch::Tensor forward(const torch::Tensor& states, const TupleLayout& layout,
                        const std::optional<torch::Tensor>& pivot_bias = std::nullopt,
                        std::optional<double> scale = std::nullopt);
  /// The same, operator by operator: what forward falls back to for uncommon blocks.
  torch::Tensor composed(const torch::Tensor& states, const TupleLayout& layout,
                         const std::optional<torch::Tensor>& pivot_bias = std::nullopt,
                         std::optional<double> scale = std::nullopt);
  /// The softmax weights of chosen tuples, given by their rows, over pivots: [heads, targets,
  /// pivots], as floydnet::attention_weights gives them.
  torch::Tensor attention_weights(const torch::Tensor& states, const TupleLayout& layout,
                                  const std::vector<int64_t>& targets,
                                  const std::optional<torch::Tensor>& pivot_bias = std::nullopt,
                                  std::optional<double> scale = std::nullopt);

 private:
  struct Projected {
    torch::Tensor q, k, v;
  };
  Projected project(const torch::Tensor& states);
  AttentionOptions attention_options(std::optional<double> scale) const;
  torch::Tensor attend(const torch::Tensor& states, const TupleLayout& layout,
                       const std::optional<torch::Tensor>& pivot_bias, std::optional<double> scale);
  torch::Tensor feed_forward(const torch::Tensor& states);
  torch::Tensor mixed(const torch::Tensor& states, const TupleLayout& layout);

  ModelConfig config_;
  std::shared_ptr<NormImpl> norm1_, norm2_, q_norm_, k_norm_;
  torch::nn::Linear mix_{nullptr}, qkv_{nullptr}, proj_{nullptr}, up_{nullptr}, down_{nullptr};
  torch::Tensor ffn_scale_;
};
TORCH_MODULE(FloydBlock);

class InitImpl;
class FloydStack;
class ReadoutHeadsImpl;

/// The whole network.
class FLOYDNET_EXPORT FloydNetImpl : public torch::nn::Module {
 public:
  explicit FloydNetImpl(const ModelConfig& config);

  /// `pivot_bias` is as for FloydBlock and serves every block.
  Predictions forward(const GraphBatch& batch,
                      const std::optional<torch::Tensor>& pivot_bias = std::nullopt);
  /// The tuple states after Init and all blocks, [rows, dim].
  torch::Tensor states(const GraphBatch& batch,
                       const std::optional<torch::Tensor>& pivot_bias = std::nullopt);
  /// How states() are laid out for graphs of these sizes.
  TupleLayout layout(const std::vector<int64_t>& sizes) const;

  const ModelConfig& config() const { return config_; }

 private:
  ModelConfig config_;
  std::shared_ptr<InitImpl> init_;
  std::shared_ptr<FloydStack> stack_;
  std::shared_ptr<ReadoutHeadsImpl> readout_;
};
TORCH_MODULE(FloydNet);

/// Writes weights and configuration to one safetensors file, atomically.
FLOYDNET_EXPORT void save_model(FloydNet& model, const std::string& path);
/// Reads what save_model wrote. Missing, superfluous or misshapen tensors throw InputError.
FLOYDNET_EXPORT FloydNet load_model(const std::string& path);
/// The configuration that save_model stored in a file.
FLOYDNET_EXPORT ModelConfig read_model_config(const std::string& path);

/// Imports a checkpoint of the authors' Python code (a .pt file and its model_config.json).
FLOYDNET_EXPORT FloydNet import_published_model(const std::string& checkpoint_path,
                                                const std::string& config_path);

/// The authors' embedding of a diffusion step with signal rate alpha_bar, [graphs] -> [graphs,
/// dim]: what imported models with `enable_diffusion` take as graph_reals.
FLOYDNET_EXPORT torch::Tensor diffusion_time_embedding(const torch::Tensor& alpha_bar, int64_t dim);

}  // namespace floydnet
