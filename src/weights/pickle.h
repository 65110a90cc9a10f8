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

/// Bytes beside the pickle, named by a key.
struct Storage {
  DType type = DType::kF32;
  std::string_view key;
  int64_t elements = 0;
};

/// A view of a storage, in elements. Nothing is checked against the storage yet.
struct Tensor {
  Storage storage;
  int64_t offset = 0;
  Node shape = 0;   // a tuple of integers
  Node stride = 0;  // a tuple of integers
};

/// The functions and classes that a pickle may name.
enum class Function { kOrderedDict, kRebuildTensor, kRebuildParameter, kSize };
struct StorageClass {
  DType type = DType::kF32;
};

using Value = std::variant<None, bool, int64_t, double, std::string_view, Sequence, Dict, Storage,
                           Tensor, Function, StorageClass>;

struct Tree {
  std::vector<Value> nodes;
  Node root = 0;

  const Value& at(Node node) const { return nodes[node]; }
  /// The items of a tuple of integers.
  std::vector<int64_t> integers(Node node) const;
};

/// The texts in the tree are views of `bytes`. Errors name `source` and the instruction's byte.
Tree parse(std::string_view bytes, const std::string& source);

}  // namespace floydnet::pickle
