// Layout: a zip archive with, in one folder, data.pkl (the pickled object), data/<key> (the
// storages), version, and in newer files byteorder.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "base/zip.h"
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "weights/pickle.h"
#include "weights/stored_tensor.h"
#include "weights/strided.h"

namespace floydnet {
namespace {

constexpr uint64_t kMaxPickleBytes = uint64_t{64} << 20;
constexpr int kMaxDepth = 64;

// What a file may unpack to. Tied weights and expanded tensors are stored once and read several
// times, and shared values are visited for each of their names; so a small file could ask for any
// amount of memory.
class Allowance {
 public:
  Allowance(uint64_t file_bytes, const std::string& source)
      : limit_(16 * file_bytes + (uint64_t{64} << 20)), left_(limit_), source_(source) {}

  void spend(uint64_t bytes) {
    if (bytes > left_) {
      throw InputError::in(source_,
                           fmt::format("unpacks to more than {} bytes, far beyond its size; save "
                                       "expanded tensors with .contiguous()",
                                       limit_));
    }
    left_ -= bytes;
  }

 private:
  const uint64_t limit_;
  uint64_t left_;
  const std::string& source_;
};

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
      : source_(source),
        zip_(bytes, source),
        folder_(find_folder()),
        allowance_(bytes.size(), source) {
    check_version();
    check_byteorder();
    find_storages();
  }

  TensorFile read() {
    const std::string source = source_ + ": data.pkl";
    const std::string bytes = zip_.read(*zip_.find(folder_ + "data.pkl"), kMaxPickleBytes);
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

  // Torch names the folder after the file, or "archive".
  std::string find_folder() const {
    const std::string suffix = "/data.pkl";
    std::optional<std::string> folder;
    for (const ZipReader::Member& member : zip_.members()) {
      const size_t slash = member.name.find('/');
      if (slash == std::string::npos || member.name.substr(slash) != suffix) continue;
      if (folder) throw InputError::in(source_, "has more than one data.pkl");
      folder = member.name.substr(0, slash + 1);
    }
    if (!folder) throw InputError::in(source_, "has no data.pkl, so torch.save did not write it");
    return *folder;
  }

  void find_storages() {
    const std::string prefix = folder_ + "data/";
    for (const ZipReader::Member& member : zip_.members()) {
      const std::string_view name = member.name;
      if (name.substr(0, prefix.size()) == prefix) storages_[name.substr(prefix.size())] = &member;
    }
  }

  // The text of a small member without white space at its end; nullopt if there is no such member.
  std::optional<std::string> label(const std::string& name) const {
    constexpr uint64_t kLongest = 32;
    const ZipReader::Member* member = zip_.find(folder_ + name);
    if (member == nullptr) return std::nullopt;
    std::string text = zip_.read(*member, kLongest);
    return text.erase(text.find_last_not_of(" \r\n") + 1);
  }

  // Torch reads the versions 1 to 10; they differ in TorchScript only.
  void check_version() const {
    const std::optional<std::string> version = label("version");
    if (!version) throw InputError::in(source_, "has no version, so torch.save did not write it");
    const bool digit = version->size() == 1 && (*version)[0] >= '1' && (*version)[0] <= '9';
    if (!digit && *version != "10") {
      throw InputError::in(source_, "has the unknown version " + in_quotes(*version));
    }
  }

  void check_byteorder() const {
    const std::optional<std::string> order = label("byteorder");
    if (order && *order != "little") {
      throw InputError::in(source_, "has the byte order " + in_quotes(*order) +
                                        "; save it again on a little-endian machine");
    }
  }

  [[noreturn]] void refuse(const std::string& tensor, const std::string& problem) const {
    throw InputError::in(source_, "tensor " + in_quotes(tensor) + " " + problem);
  }

  // Checks all of a tensor that can be checked before its storage is read.
  void plan(const std::string& name, const pickle::Tensor& tensor, const pickle::Tree& tree) {
    const pickle::Storage& storage = tensor.storage;
    const ZipReader::Member& member = find_storage(name, storage);
    StridedView view{tensor.offset, tree.integers(tensor.shape), tree.integers(tensor.stride)};
    if (const auto problem = misfit(view, storage.elements)) refuse(name, *problem);
    const std::optional<int64_t> bytes = byte_size(storage.type, view.shape);
    if (!bytes) refuse(name, "has a shape that is too large: " + shape_text(view.shape));
    allowance_.spend(static_cast<uint64_t>(*bytes));
    views_of_[&member].push_back({name, storage.type, std::move(view)});
  }

  const ZipReader::Member& find_storage(const std::string& tensor,
                                        const pickle::Storage& storage) const {
    const auto found = storages_.find(storage.key);
    if (found == storages_.end()) {
      refuse(tensor, "lies in the storage " + in_quotes(storage.key) + ", which is missing");
    }
    const ZipReader::Member& member = *found->second;
    const std::optional<int64_t> bytes = byte_size(storage.type, {storage.elements});
    if (!bytes || static_cast<uint64_t>(*bytes) != member.size) {
      refuse(tensor, fmt::format("lies in a storage of {} {}, but that holds {} bytes",
                                 storage.elements, floydnet::name(storage.type), member.size));
    }
    return member;
  }

  // One storage is in memory at a time.
  void load(const ZipReader::Member& member, const std::vector<NamedView>& views,
            TensorFile& file) {
    allowance_.spend(member.size);
    const std::string storage = zip_.read(member, member.size);
    for (const NamedView& view : views) {
      file.tensors[view.name] = {view.type, view.view.shape,
                                 gather(view.view, item_size(view.type), storage)};
    }
  }

  const std::string& source_;
  const ZipReader zip_;
  const std::string folder_;
  Allowance allowance_;
  std::map<std::string_view, const ZipReader::Member*> storages_;  // by key
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
