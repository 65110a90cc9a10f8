// What an algorithm's data consists of: its probes, in the order of the official benchmark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace floydnet::clrs {

enum class Stage { kInput, kOutput, kHint };
enum class Location { kNode, kEdge, kGraph };
enum class Type {
  kScalar,
  kMask,                 // 0 or 1; kMasked where losses and metrics look away
  kMaskOne,              // a single 1 among the nodes
  kCategorical,          // one-hot over `classes`
  kPointer,              // the index of a node
  kShouldBePermutation,  // a pointer that lists all nodes; the first points to itself
  kPermutationPointer    // one-hot rows of a cyclic permutation; made by Postprocessing only
};
/// What the official code stores an array as. Values here are doubles, which hold all of them.
enum class Dtype { kFloat64, kInt64, kFloat32 };

constexpr double kMasked = -1;

struct Probe {
  std::string name;
  Stage stage = Stage::kInput;
  Location location = Location::kNode;
  Type type = Type::kScalar;
  int64_t classes = 0;  // of kCategorical
  Dtype dtype = Dtype::kFloat64;

  /// The shape of one sample, and for a hint of one step of it: [], [n] or [n, n], and one more
  /// axis for classes or for the rows of a permutation.
  std::vector<int64_t> shape(int64_t nodes) const;
  /// The product of the shape.
  int64_t elements(int64_t nodes) const;
  /// Numbers that stand for one value: as many as there are classes, or one.
  int64_t width() const { return type == Type::kCategorical ? classes : 1; }
  /// The official name of its array: "hint/pred_h".
  std::string key() const;
  /// "pred_h=hint/node/pointer".
  std::string text() const;
};

/// The places of the nodes, from 0 to 1, which every algorithm is given.
inline bool is_position(const Probe& probe) {
  return probe.stage == Stage::kInput && probe.name == "pos";
}

/// Inputs, then outputs, then hints. A Sample's arrays stand in the same order.
struct Spec {
  std::vector<Probe> probes;

  /// The index of the first probe of a stage, or of where it would stand.
  int64_t first(Stage stage) const;
  int64_t count(Stage stage) const;
  std::vector<Probe> of(Stage stage) const;
  /// -1 if there is none.
  int64_t find(Stage stage, const std::string& name) const;
};

const char* text(Stage stage);
const char* text(Location location);
const char* text(Type type);
/// NumPy's name, "float64".
const char* text(Dtype dtype);

}  // namespace floydnet::clrs
