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

std::vector<Probe> Spec::of(Stage stage) const {
  const auto begin = probes.begin() + first(stage);
  return {begin, begin + count(stage)};
}

int64_t Spec::find(Stage stage, const std::string& name) const {
  const auto found = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) {
    return probe.stage == stage && probe.name == name;
  });
  return found == probes.end() ? -1 : found - probes.begin();
}

// Names stand in the order of the enumerations.

const char* text(Stage stage) {
  constexpr const char* kNames[] = {"input", "output", "hint"};
  return kNames[static_cast<int>(stage)];
}

const char* text(Location location) {
  constexpr const char* kNames[] = {"node", "edge", "graph"};
  return kNames[static_cast<int>(location)];
}

const char* text(Type type) {
  constexpr const char* kNames[] = {"scalar",
                                    "mask",
                                    "mask_one",
                                    "categorical",
                                    "pointer",
                                    "should_be_permutation",
                                    "permutation_pointer"};
  return kNames[static_cast<int>(type)];
}

const char* text(Dtype dtype) {
  constexpr const char* kNames[] = {"float64", "int64", "float32"};
  return kNames[static_cast<int>(dtype)];
}

}  // namespace floydnet::clrs
