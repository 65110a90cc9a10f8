// Models of the authors' Python code (version 1.1.0): their options, names and conventions.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/options.h"
#include "base/shape.h"
#include "floydnet/error.h"
#include "floydnet/model.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "model/tensors.h"

namespace floydnet {
namespace {

using torch::Tensor;

/// model_config.json, with the published defaults.
struct PublishedConfig {
  int64_t n_embd = 768;
  int64_t n_head = 12;
  int64_t n_out = 1;
  int64_t depth = 12;
  bool enable_adj_emb = true;
  bool enable_diffusion = false;
  std::string task_level = "g";
  int64_t n_edge_feat = 0;
  int64_t edge_feat_vocab_size = -1;
  int64_t n_decode_layers = 1;
  bool decoder_mask_by_adj = false;
  bool enable_ffn = true;
  int64_t node_feat_vocab_size = 0;
  int64_t n_node_feat = 0;
  bool supernode = false;
  double dropout = 0;
  NormKind norm_fn = NormKind::kAffine;

  int64_t edge_features() const { return edge_feat_vocab_size > 0 ? n_edge_feat : 0; }
  int64_t node_features() const { return node_feat_vocab_size > 0 ? n_node_feat : 0; }
  bool predicts(char level) const { return task_level.find(level) != std::string::npos; }
};

PublishedConfig read_published_config(const std::string& path) {
  constexpr int64_t kVocabularyLimit = 1'000'000;
  PublishedConfig c;
  OptionTable table;
  table.integer("n_embd", &c.n_embd, {1, kVocabularyLimit}, "");
  table.integer("n_head", &c.n_head, {1, kVocabularyLimit}, "");
  table.integer("n_out", &c.n_out, {1, kVocabularyLimit}, "");
  table.integer("depth", &c.depth, {0, kVocabularyLimit}, "");
  table.boolean("enable_adj_emb", &c.enable_adj_emb, "");
  table.boolean("enable_diffusion", &c.enable_diffusion, "");
  table.text("task_level", &c.task_level, "");
  table.integer("n_edge_feat", &c.n_edge_feat, {0, 1000}, "");
  table.integer("edge_feat_vocab_size", &c.edge_feat_vocab_size, {-1, kVocabularyLimit}, "");
  table.integer("n_decode_layers", &c.n_decode_layers, {1, 100}, "");
  table.boolean("decoder_mask_by_adj", &c.decoder_mask_by_adj, "");
  table.boolean("enable_ffn", &c.enable_ffn, "");
  table.integer("node_feat_vocab_size", &c.node_feat_vocab_size, {0, kVocabularyLimit}, "");
  table.integer("n_node_feat", &c.n_node_feat, {0, 1000}, "");
  table.boolean("supernode", &c.supernode, "");
  table.real("dropout", &c.dropout, {0, 0.999}, "");
  table.choice<NormKind>("norm_fn", &c.norm_fn,
                         {{"affine", NormKind::kAffine},
                          {"layernorm", NormKind::kLayer},
                          {"ln", NormKind::kLayer},
                          {"rmsnorm", NormKind::kRms},
                          {"rms", NormKind::kRms},
                          {"none", NormKind::kNone},
                          {"identity", NormKind::kNone}},
                         "");
  const auto json = nlohmann::json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw InputError::in(path, "not a JSON file");
  table.read(json, path);
  return c;
}

ModelConfig native_config(const PublishedConfig& p) {
  ModelConfig c;
  c.dim = p.n_embd;
  c.heads = p.n_head;
  c.depth = p.depth;
  c.norm = p.norm_fn;
  c.scale = 1.0 / std::sqrt(2.0 * static_cast<double>(p.n_embd) / static_cast<double>(p.n_head));
  c.ffn = p.enable_ffn;
  c.ffn_scale = p.enable_ffn;
  c.activation = Activation::kSilu;
  c.dropout = p.dropout;
  c.attention_dropout = p.dropout;
  c.symmetric_mix = true;
  c.supernode = p.supernode;
  c.adjacency = p.enable_adj_emb;
  c.pair_categories.assign(p.edge_features(), p.edge_feat_vocab_size);
  c.node_categories.assign(p.node_features(), p.node_feat_vocab_size);
  if (p.node_features() > 0) c.node_placement = NodePlacement::kSuperNodePairs;
  if (p.enable_diffusion) {
    c.pair_reals = 1;
    c.graph_reals = p.n_embd;
  }
  c.init_layers = 1;
  c.readout = Readout::kSum;
  c.readout_edges_only = p.decoder_mask_by_adj;
  c.graph_outputs = p.predicts('g') ? p.n_out : 0;
  c.node_outputs = p.predicts('v') ? p.n_out : 0;
  c.pair_outputs = p.predicts('e') ? p.n_out : 0;
  c.head_layers = p.n_decode_layers;
  return c;
}

/// Moves tensors from published names to ours.
class Renamer {
 public:
  Renamer(Tensors published, std::string source)
      : published_(std::move(published)), source_(std::move(source)) {}

  /// For tensors that are computed with; set_parameters checks those that only change their name.
  Tensor take(const std::string& name, const std::vector<int64_t>& shape) {
    const Tensor tensor = take(name);
    if (tensor.sizes() != shape || !tensor.is_floating_point()) {
      throw InputError::in(
          source_,
          fmt::format("tensor \"{}\" is {} of shape {}, wanted floating numbers of shape {}", name,
                      toString(tensor.scalar_type()), shape_text(tensor.sizes().vec()),
                      shape_text(shape)));
    }
    return tensor;
  }
  void move(const std::string& from, const std::string& to) { native_[to] = take(from); }
  void set(const std::string& name, const Tensor& tensor) { native_[name] = tensor; }

  Tensors finish() {
    if (!published_.empty()) {
      throw InputError::in(source_, fmt::format("tensor \"{}\" does not fit the configuration",
                                                published_.begin()->first));
    }
    return std::move(native_);
  }

 private:
  Tensor take(const std::string& name) {
    const auto found = published_.find(name);
    if (found == published_.end()) {
      throw InputError::in(source_, fmt::format("tensor \"{}\" is missing", name));
    }
    const Tensor tensor = found->second;
    published_.erase(found);
    return tensor;
  }

  Tensors published_;
  Tensors native_;
  std::string source_;
};

/// The published rows are q, k_ij, k_jk, v_ij, v_jk. Ours go by the replaced coordinate, so that
/// the right relation (j, k) stands before the left one (i, j).
Tensor reordered_roles(const Tensor& qkv) {
  const auto parts = qkv.chunk(5, 0);
  return torch::cat({parts[0], parts[2], parts[1], parts[4], parts[3]});
}

void import_blocks(const PublishedConfig& p, Renamer& names) {
  for (int64_t layer = 0; layer < p.depth; ++layer) {
    const std::string from = fmt::format("blocks.{}.", layer);
    const std::string to = fmt::format("block{}.", layer);
    names.set(to + "qkv.weight",
              reordered_roles(names.take(from + "c_qkv.weight", {5 * p.n_embd, p.n_embd})));
    names.move(from + "c_mix.weight", to + "mix.weight");
    names.move(from + "c_proj.weight", to + "proj.weight");
    for (const char* norm : {"norm1", "norm2"}) {
      if (!p.enable_ffn && norm == std::string("norm2")) continue;
      if (p.norm_fn == NormKind::kNone) continue;
      names.move(from + norm + ".weight", to + norm + ".weight");
      if (p.norm_fn != NormKind::kRms) names.move(from + norm + ".bias", to + norm + ".bias");
    }
    if (!p.enable_ffn) continue;
    names.move(from + "ffn.0.weight", to + "up.weight");
    names.move(from + "ffn.2.weight", to + "down.weight");
    names.move(from + "ffn_scale", to + "ffn_scale");
  }
}

void import_heads(const PublishedConfig& p, Renamer& names) {
  for (const auto& [level, name] : {std::pair('g', "graph"), {'v', "node"}, {'e', "pair"}}) {
    if (!p.predicts(level)) continue;
    for (int64_t layer = 0; layer < p.n_decode_layers; ++layer) {
      // A sequence counts activations as layers, too; a single linear map has no number.
      const std::string from = p.n_decode_layers == 1
                                   ? fmt::format("head_{}.net.", level)
                                   : fmt::format("head_{}.net.{}.", level, 2 * layer);
      const std::string to = fmt::format("readout.{}.{}.", name, layer);
      names.move(from + "weight", to + "weight");
      names.move(from + "bias", to + "bias");
    }
  }
}

void import_embeddings(const PublishedConfig& p, Renamer& names) {
  int64_t column = 0;
  // The published code looks up category 0 for pairs with the SuperNode, where our Init has no pair
  // term: what that adds goes into the embedding of the SuperNode's place.
  Tensor supernode_pairs = torch::zeros({p.n_embd});
  const auto move_pair_category = [&](const std::string& from, int64_t categories) {
    const Tensor embedding = names.take(from, {categories, p.n_embd});
    supernode_pairs = supernode_pairs + embedding[0];
    names.set(fmt::format("init.pair01.category{}.weight", column++), embedding);
  };
  if (p.enable_adj_emb) move_pair_category("emb_adj.weight", 2);
  for (int64_t f = 0; f < p.edge_features(); ++f) {
    move_pair_category(
        p.n_edge_feat == 1 ? "emb_edge.weight" : fmt::format("emb_edge.{}.weight", f),
        p.edge_feat_vocab_size);
  }
  for (int64_t f = 0; f < p.node_features(); ++f) {
    names.move(fmt::format("emb_node_i.{}.weight", f),
               fmt::format("init.node0.category{}.weight", f));
    names.move(fmt::format("emb_node_j.{}.weight", f),
               fmt::format("init.node1.category{}.weight", f));
  }
  names.set("init.bias", torch::zeros({p.n_embd}));
  if (p.enable_diffusion) {
    names.move("diffusion_embedder.linear_xt.weight", "init.pair01.reals.weight");
    names.move("diffusion_embedder.linear_xt.bias", "init.bias");
    names.move("diffusion_embedder.linear_t.weight", "init.graph.reals.weight");
  }
  names.set("init.equality", torch::zeros({1, p.n_embd}));
  if (p.supernode) {
    Tensor places = names.take("emb_superedge.weight", {4, p.n_embd}).clone();
    places.narrow(0, 1, 3).add_(supernode_pairs);
    names.set("init.supernode", places);
  }
}

Tensors read_state_dict(const std::string& path) {
  const std::string prefix = "model_state_dict.";
  const TensorFile file = read_torch_file(path);
  Tensors tensors;
  for (const auto& [name, stored] : file.tensors) {
    if (name.compare(0, prefix.size(), prefix) == 0) {
      tensors[name.substr(prefix.size())] = to_torch(stored);
    }
  }
  return tensors.empty() ? to_torch(file.tensors) : tensors;
}

}  // namespace

FloydNet import_published_model(const std::string& checkpoint_path,
                                const std::string& config_path) {
  const PublishedConfig published = read_published_config(config_path);
  const ModelConfig config = native_config(published);
  config.check(config_path);
  Renamer names(read_state_dict(checkpoint_path), checkpoint_path);
  import_embeddings(published, names);
  import_blocks(published, names);
  import_heads(published, names);
  FloydNet model(config);
  set_parameters(*model, names.finish(), checkpoint_path);
  return model;
}

Tensor diffusion_time_embedding(const Tensor& alpha_bar, int64_t dim) {
  constexpr double kTiny = 1e-6, kScale = 60;
  const Tensor signal = alpha_bar.clamp(0.0, 1.0) + kTiny;
  const Tensor noise = (1.0 - alpha_bar).clamp(0.0, 1.0) + kTiny;
  const Tensor angle = torch::log10(signal / noise) / kScale;
  const Tensor angles = angle.unsqueeze(-1) * torch::arange(dim / 2, alpha_bar.options());
  return torch::cat({torch::sin(angles), torch::cos(angles)}, -1);
}

}  // namespace floydnet
