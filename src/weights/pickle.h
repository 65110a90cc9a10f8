// Reads the pickles that torch.save writes for dicts of tensors, and runs nothing: an instruction
// or a global that such dicts do not need is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "floydnet/weights.h"

namespace floydnet::pickle {

/// Values live in one array and refer to one another by index. A pickle can make a list hold
/// itself; so the graph of values may have cycles, and nothing here owns anything recursively.
using Node = uint32_t;

struct None {};

struct Sequence {
  std::vector<Node> items;
  bool is_tuple = false;
};

/// In the order of the file; a key can be there twice.
struct Dict {
  std::vector<std::pair<Node, Node>> items;
};

/// Bytes beside the pickle, named by a key, or within it.
struct Storage {
  DType type = DType::kF32;
  std::string_view key;
  int64_t elements = 0;
  bool within = false;
  std::string_view bytes;  // if within; exactly the elements
};

struct Bytes {
  std::string_view bytes;
};

/// A view of a storage, in elements. Nothing is checked against the storage yet.
struct Tensor {
  Storage storage;
  int64_t offset = 0;
  Node shape = 0;   // a tuple of integers
  Node stride = 0;  // a tuple of integers
};

/// A NumPy array of one dimension, of 64-bit integers.
struct IntegerArray {
  std::string_view bytes;  // little-endian
};
/// numpy.dtype("<i8")
struct IntegerType {};

/// The functions and classes that a pickle may name.
enum class Function {
  kOrderedDict,
  kRebuildTensor,
  kRebuildParameter,
  kSize,
  kLoadFromBytes,
  kRebuildArray,
  kArrayType,
  kArrayClass,
};
struct StorageClass {
  DType type = DType::kF32;
};

using Value = std::variant<None, bool, int64_t, double, std::string_view, Bytes, Sequence, Dict,
                           Storage, Tensor, IntegerArray, IntegerType, Function, StorageClass>;

struct Tree {
  std::vector<Value> nodes;
  Node root = 0;

  const Value& at(Node node) const { return nodes[node]; }
  /// The items of a tuple of integers.
  std::vector<int64_t> integers(Node node) const;
};

struct Options {
  /// Far above any state dict; bounds the memory that a hostile file can claim.
  size_t max_nodes = size_t{1} << 21;
  /// Whether tensors may bring their storages as bytes, as pickle.dump writes them.
  bool storages_within = false;
  /// Whether NumPy arrays of integers are read.
  bool arrays = false;
};

/// The texts in the tree are views of `bytes`. Errors name `source` and the instruction's byte.
Tree parse(std::string_view bytes, const std::string& source, const Options& options = {});

/// The same for a pickle that the bytes begin with; `length` is set to its bytes.
Tree parse_first(std::string_view bytes, const std::string& source, const Options& options,
                 size_t& length);

/// The storage that a plainly pickled tensor brings: four small pickles (a magic number, a version,
/// the byte order, the storage's class and size), its key, and its elements. The content of
/// torch.storage._load_from_bytes's argument; InputError names `source`.
Storage parse_storage(std::string_view bytes, const std::string& source);

}  // namespace floydnet::pickle
