// Probes of problems with two strings, whose characters share the nodes: those of the first string
// come first.
#pragma once

#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {

/// 0 for the first string's nodes, 1 for the second's.
struct StringOf {
  int64_t first_length;
};
/// Position within the string over its length.
struct StringPositions {
  int64_t first_length;
};
/// Each character points to the one before it, the heads to themselves.
struct StringOrder {
  int64_t first_length;
};

inline void fill(const Cells& cells, StringOf strings) {
  std::fill(cells.data + strings.first_length, cells.data + cells.size, 1.0);
}

inline void fill(const Cells& cells, StringPositions strings) {
  fill(Cells{cells.data, strings.first_length}, Positions{});
  fill(Cells{cells.data + strings.first_length, cells.size - strings.first_length}, Positions{});
}

inline void fill(const Cells& cells, StringOrder strings) {
  fill(cells, ArrayOrder{});
  cells.at(strings.first_length) = static_cast<double>(strings.first_length);
}

/// The inputs of such problems: string, pos, key.
inline void record_strings(const Problem& problem, Trace& trace) {
  const auto first_length = static_cast<int64_t>(problem.text.size());
  Nodes characters = problem.text;
  characters.insert(characters.end(), problem.pattern.begin(), problem.pattern.end());
  trace.inputs(StringOf{first_length}, StringPositions{first_length},
               OneHot{characters, kCharacters});
}

/// Their specs.
inline std::vector<Probe> string_probes() {
  return {node("string", Type::kMask), node("pos", Type::kScalar),
          node("key", Type::kCategorical, kCharacters)};
}

}  // namespace floydnet::clrs
