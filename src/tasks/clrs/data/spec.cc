#include "tasks/clrs/data/spec.h"

#include <algorithm>

namespace floydnet::clrs {

std::vector<int64_t> Probe::shape(int64_t nodes) const {
  std::vector<int64_t> sizes;
  if (location != Location::kGraph) sizes.push_back(nodes);
  if (location == Location::kEdge || type == Type::kPermutationPointer) sizes.push_back(nodes);
  if (type == Type::kCategorical) sizes.push_back(classes);
  return sizes;
}

int64_t Probe::elements(int64_t nodes) const {
  int64_t product = 1;
  for (const int64_t size : shape(nodes)) product *= size;
  return product;
}

std::string Probe::key() const { return std::string(clrs::text(stage)) + "/" + name; }

std::string Probe::text() const {
  return name + "=" + clrs::text(stage) + "/" + clrs::text(location) + "/" + clrs::text(type);
}

int64_t Spec::first(Stage stage) const {
  return std::count_if(probes.begin(), probes.end(),
                       [stage](const Probe& probe) { return probe.stage < stage; });
}

int64_t Spec::count(Stage stage) const {
  return std::count_if(probes.begin(), probes.end(),
                       [stage](const Probe& probe) { return probe.stage == stage; });
}

int64_t Spec::find(Stage stage, const std::string& name) const {
  const auto found = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) {
    return probe.stage == stage && probe.name == name;
  });
  return found == probes.end() ? -1 : found - probes.begin();
}

const char* text(Stage stage) {
  switch (stage) {
    case Stage::kInput:
      return "input";
    case Stage::kOutput:
      return "output";
    case Stage::kHint:
      return "hint";
  }
  return "";
}

const char* text(Location location) {
  switch (location) {
    case Location::kNode:
      return "node";
    case Location::kEdge:
      return "edge";
    case Location::kGraph:
      return "graph";
  }
  return "";
}

const char* text(Type type) {
  switch (type) {
    case Type::kScalar:
      return "scalar";
    case Type::kMask:
      return "mask";
    case Type::kMaskOne:
      return "mask_one";
    case Type::kCategorical:
      return "categorical";
    case Type::kPointer:
      return "pointer";
    case Type::kShouldBePermutation:
      return "should_be_permutation";
    case Type::kPermutationPointer:
      return "permutation_pointer";
  }
  return "";
}

const char* text(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat64:
      return "float64";
    case Dtype::kInt64:
      return "int64";
    case Dtype::kFloat32:
      return "float32";
  }
  return "";
}

}  // namespace floydnet::clrs
