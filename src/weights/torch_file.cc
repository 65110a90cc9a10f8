#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "weights/pickle.h"
#include "weights/strided.h"
#include "weights/torch_archive.h"

namespace floydnet {
namespace {

constexpr uint64_t kMaxPickleBytes = uint64_t{64} << 20;
constexpr int kMaxDepth = 64;

struct Leaves {
  std::map<std::string, const pickle::Tensor*> tensors;
  std::map<std::string, std::string> metadata;
};

// Gives every tensor and scalar under a dict its dotted name.
class Flattener {
 public:
  Flattener(const pickle::Tree& tree, const std::string& source, Allowance& allowance)
      : tree_(tree), source_(source), allowance_(allowance) {}

  Leaves run() {
    const auto* root = std::get_if<pickle::Dict>(&tree_.at(tree_.root));
    if (root == nullptr) throw InputError::in(source_, "holds no dict of tensors");
    visit_dict(*root, "", 0);
    return std::move(leaves_);
  }

 private:
  void visit(pickle::Node node, const std::string& name, int depth) {
    constexpr uint64_t kCostOfNode = 64;
    allowance_.spend(kCostOfNode + name.size());
    if (depth > kMaxDepth) {
      refuse(name, fmt::format("is nested more than {} deep, or holds itself", kMaxDepth));
    }
    const pickle::Value& value = tree_.at(node);
    if (const auto* dict = std::get_if<pickle::Dict>(&value)) {
      visit_dict(*dict, name + ".", depth);
    } else if (const auto* sequence = std::get_if<pickle::Sequence>(&value)) {
      for (size_t i = 0; i < sequence->items.size(); ++i) {
        visit(sequence->items[i], fmt::format("{}.{}", name, i), depth + 1);
      }
    } else if (const auto* tensor = std::get_if<pickle::Tensor>(&value)) {
      check_new(name);
      leaves_.tensors[name] = tensor;
    } else {
      std::string text = scalar_text(value, name);
      allowance_.spend(text.size());
      check_new(name);
      leaves_.metadata[name] = std::move(text);
    }
  }

  void visit_dict(const pickle::Dict& dict, const std::string& prefix, int depth) {
    for (const auto& [key, value] : dict.items) {
      visit(value, prefix + key_text(tree_.at(key), prefix), depth + 1);
    }
  }

  std::string key_text(const pickle::Value& key, const std::string& prefix) const {
    if (const auto* text = std::get_if<std::string_view>(&key)) return std::string(*text);
    if (const auto* number = std::get_if<int64_t>(&key)) return std::to_string(*number);
    refuse(prefix, "has a key that is neither a string nor an integer");
  }

  std::string scalar_text(const pickle::Value& value, const std::string& name) const {
    if (std::holds_alternative<pickle::None>(value)) return "null";
    if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
    refuse(name, "is no tensor, number, string, dict or list");
  }

  void check_new(const std::string& name) const {
    if (leaves_.tensors.count(name) + leaves_.metadata.count(name) > 0) {
      refuse(name, "is there twice");
    }
  }

  [[noreturn]] void refuse(const std::string& name, const std::string& problem) const {
    throw InputError::in(source_, in_quotes(name) + " " + problem);
  }

  const pickle::Tree& tree_;
  const std::string& source_;
  Allowance& allowance_;
  Leaves leaves_;
};

class TorchFile {
 public:
  TorchFile(std::string_view bytes, const std::string& source)
      : source_(source), archive_(bytes, source), allowance_(bytes.size(), source) {}

  TensorFile read() {
    const std::string source = source_ + ": data.pkl";
    const std::string bytes = archive_.pickle(kMaxPickleBytes);
    const pickle::Tree tree = pickle::parse(bytes, source);
    Leaves leaves = Flattener(tree, source, allowance_).run();
    TensorFile file;
    file.metadata = std::move(leaves.metadata);
    for (const auto& [name, tensor] : leaves.tensors) plan(name, *tensor, tree);
    for (const auto& [member, views] : views_of_) load(*member, views, file);
    return file;
  }

 private:
  struct NamedView {
    std::string name;
    DType type;
    StridedView view;
  };

  // Checks all of a tensor that can be checked before its storage is read.
  void plan(const std::string& name, const pickle::Tensor& tensor, const pickle::Tree& tree) {
    const std::string place = "tensor " + in_quotes(name);
    const ZipReader::Member& member = archive_.storage(tensor.storage, place);
    views_of_[&member].push_back(
        {name, tensor.storage.type, checked_view(tensor, tree, source_, place, allowance_)});
  }

  // One storage is in memory at a time.
  void load(const ZipReader::Member& member, const std::vector<NamedView>& views,
            TensorFile& file) {
    allowance_.spend(member.size);
    const std::string storage = archive_.read(member);
    for (const NamedView& view : views) {
      file.tensors[view.name] = {view.type, view.view.shape,
                                 gather(view.view, item_size(view.type), storage)};
    }
  }

  const std::string& source_;
  const TorchArchive archive_;
  Allowance allowance_;
  std::map<const ZipReader::Member*, std::vector<NamedView>> views_of_;
};

// Before torch 1.6 the file was a bare pickle, or several.
void refuse_legacy(std::string_view bytes, const std::string& source) {
  constexpr char kPickleProtocol = '\x80';
  if (!bytes.empty() && bytes.front() == kPickleProtocol) {
    throw InputError::in(source,
                         "is a .pt file in the legacy form; load it and save it again with torch "
                         "1.6 or newer");
  }
}

}  // namespace

TensorFile parse_torch_file(std::string_view bytes, const std::string& source) {
  refuse_legacy(bytes, source);
  return TorchFile(bytes, source).read();
}

TensorFile read_torch_file(const std::string& path) {
  return parse_torch_file(read_file(path), path);
}

}  // namespace floydnet
