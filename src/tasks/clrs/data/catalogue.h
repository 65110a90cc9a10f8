// What the files with the algorithms share: a short notation for specs, and their lists.
#pragma once

#include <string>
#include <vector>

#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {

inline Probe node(const std::string& name, Type type, int64_t classes = 0) {
  return {name, Stage::kInput, Location::kNode, type, classes, Dtype::kFloat64};
}
inline Probe edge(const std::string& name, Type type, int64_t classes = 0) {
  return {name, Stage::kInput, Location::kEdge, type, classes, Dtype::kFloat64};
}
inline Probe graph(const std::string& name, Type type, int64_t classes = 0) {
  return {name, Stage::kInput, Location::kGraph, type, classes, Dtype::kFloat64};
}
/// Stored as int64 by the official code.
inline Probe integer(Probe probe) {
  probe.dtype = Dtype::kInt64;
  return probe;
}

/// Sets the stages of the three groups and joins them.
Spec make_spec(std::vector<Probe> inputs, std::vector<Probe> outputs, std::vector<Probe> hints);

std::vector<Algorithm> divide_and_conquer_algorithms();
std::vector<Algorithm> dynamic_programming_algorithms();
std::vector<Algorithm> geometry_algorithms();
std::vector<Algorithm> depth_first_algorithms();
std::vector<Algorithm> component_algorithms();
std::vector<Algorithm> shortest_path_algorithms();
std::vector<Algorithm> spanning_tree_algorithms();
std::vector<Algorithm> greedy_algorithms();
std::vector<Algorithm> search_algorithms();
std::vector<Algorithm> sorting_algorithms();
std::vector<Algorithm> string_algorithms();

}  // namespace floydnet::clrs
