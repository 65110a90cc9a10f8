#include "weights/tensor_tuples.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/little_endian.h"
#include "floydnet/error.h"
#include "weights/pickle.h"
#include "weights/strided.h"
#include "weights/torch_archive.h"

namespace floydnet {
namespace {

// Half a million graphs of five tensors take some 30 million values.
constexpr pickle::Options kListOptions = {size_t{1} << 26, true};
constexpr uint64_t kMaxListPickle = uint64_t{2} << 30;
constexpr char kPickleStart = '\x80';

class TupleReader {
 public:
  TupleReader(std::string_view bytes, const std::string& source)
      : source_(source), allowance_(bytes.size(), source) {
    if (bytes.empty() || bytes.front() != kPickleStart) {
      archive_ = std::make_unique<TorchArchive>(bytes, source);
      pickle_ = archive_->pickle(kMaxListPickle);
      tree_ = pickle::parse(pickle_, source + ": data.pkl", kListOptions);
      count_views();
    } else {
      tree_ = pickle::parse(bytes, source, kListOptions);
    }
  }

  void read(const UseTuple& use) {
    const auto* list = std::get_if<pickle::Sequence>(&tree_.at(tree_.root));
    if (list == nullptr) throw InputError::in(source_, "holds no list of tuples of tensors");
    const auto count = static_cast<int64_t>(list->items.size());
    for (int64_t i = 0; i < count; ++i) {
      use(i, count, tuple_at(i, list->items[static_cast<size_t>(i)]));
    }
  }

 private:
  std::vector<StoredTensor> tuple_at(int64_t index, pickle::Node node) {
    const auto* tuple = std::get_if<pickle::Sequence>(&tree_.at(node));
    if (tuple == nullptr) {
      throw InputError::in(source_, fmt::format("entry {} is no tuple of tensors", index));
    }
    constexpr size_t kMaxWidth = 64;
    if (tuple->items.size() > kMaxWidth) {
      throw InputError::in(source_, fmt::format("entry {} has {} items, more than {}", index,
                                                tuple->items.size(), kMaxWidth));
    }
    std::vector<StoredTensor> tensors;
    for (size_t i = 0; i < tuple->items.size(); ++i) {
      tensors.push_back(item(tuple->items[i], fmt::format("entry {}, item {}", index, i)));
    }
    return tensors;
  }

  StoredTensor item(pickle::Node node, const std::string& place) {
    const pickle::Value& value = tree_.at(node);
    if (const auto* tensor = std::get_if<pickle::Tensor>(&value)) return tensor_of(*tensor, place);
    if (const auto* list = std::get_if<pickle::Sequence>(&value)) return numbers_of(*list, place);
    throw InputError::in(source_, place + " is neither a tensor nor a list of numbers");
  }

  StoredTensor numbers_of(const pickle::Sequence& list, const std::string& place) {
    StoredTensor tensor{DType::kI64, {static_cast<int64_t>(list.items.size())}, {}};
    allowance_.spend(8 * list.items.size());
    for (const pickle::Node node : list.items) {
      const auto* number = std::get_if<int64_t>(&tree_.at(node));
      if (number == nullptr) throw InputError::in(source_, place + " is no list of integers");
      append_little_endian(tensor.bytes, static_cast<uint64_t>(*number));
    }
    return tensor;
  }

  StoredTensor tensor_of(const pickle::Tensor& tensor, const std::string& place) {
    const StridedView view = checked_view(tensor, tree_, source_, place, allowance_);
    const DType type = tensor.storage.type;
    if (tensor.storage.within) {
      return {type, view.shape, gather(view, item_size(type), tensor.storage.bytes)};
    }
    if (archive_ == nullptr) {
      throw InputError::in(source_, place + " has a storage of its own, but there is no archive");
    }
    const ZipReader::Member& member = archive_->storage(tensor.storage, place);
    int64_t& left = views_left_[&member];
    std::string& storage = kept_[&member];
    if (storage.empty()) {
      allowance_.spend(member.size);
      storage = archive_->read(member);
    }
    StoredTensor gathered{type, view.shape, gather(view, item_size(type), storage)};
    if (--left <= 0) kept_.erase(&member);
    return gathered;
  }

  /// Tensors may share a storage; it is kept until the last of them has been read.
  void count_views() {
    for (const pickle::Value& value : tree_.nodes) {
      const auto* tensor = std::get_if<pickle::Tensor>(&value);
      if (tensor == nullptr || tensor->storage.within) continue;
      ++views_left_[&archive_->storage(tensor->storage, "a tensor")];
    }
  }

  const std::string& source_;
  Allowance allowance_;
  std::unique_ptr<TorchArchive> archive_;  // none: a plain pickle
  std::string pickle_;
  pickle::Tree tree_;
  std::unordered_map<const ZipReader::Member*, int64_t> views_left_;
  std::unordered_map<const ZipReader::Member*, std::string> kept_;
};

template <typename Stored, typename T>
std::vector<T> converted(const std::string& bytes) {
  std::vector<T> values;
  values.reserve(bytes.size() / sizeof(Stored));
  for (size_t i = 0; i + sizeof(Stored) <= bytes.size(); i += sizeof(Stored)) {
    Stored value;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    values.push_back(static_cast<T>(value));
  }
  return values;
}

template <typename T>
std::optional<std::vector<T>> whole_numbers(const StoredTensor& tensor) {
  switch (tensor.type) {
    case DType::kBool:
    case DType::kU8:
      return converted<uint8_t, T>(tensor.bytes);
    case DType::kI8:
      return converted<int8_t, T>(tensor.bytes);
    case DType::kI16:
      return converted<int16_t, T>(tensor.bytes);
    case DType::kI32:
      return converted<int32_t, T>(tensor.bytes);
    case DType::kI64:
      return converted<int64_t, T>(tensor.bytes);
    default:
      return std::nullopt;
  }
}

}  // namespace

void parse_tensor_tuples(std::string_view bytes, const std::string& source, const UseTuple& use) {
  TupleReader(bytes, source).read(use);
}

bool is_real(DType type) {
  return type == DType::kF16 || type == DType::kBF16 || type == DType::kF32 || type == DType::kF64;
}

std::vector<int64_t> integers_of(const StoredTensor& tensor, const std::string& place) {
  if (auto values = whole_numbers<int64_t>(tensor)) return std::move(*values);
  throw InputError::in(place, fmt::format("wanted integers, got {}", name(tensor.type)));
}

std::vector<float> reals_of(const StoredTensor& tensor, const std::string& place) {
  if (tensor.type == DType::kF32) return converted<float, float>(tensor.bytes);
  if (tensor.type == DType::kF64) return converted<double, float>(tensor.bytes);
  if (auto values = whole_numbers<float>(tensor)) return std::move(*values);
  throw InputError::in(place, fmt::format("{} is not read; save it as float32", name(tensor.type)));
}

}  // namespace floydnet
