// Records an algorithm's inputs, outputs and, step by step, its hints.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "tasks/clrs/data/problem.h"
#include "tasks/clrs/data/sample.h"
#include "tasks/clrs/data/spec.h"

namespace floydnet::clrs {

// Ways in which a probe is filled from an algorithm's state. Those that hold a reference are made
// where they are recorded.

/// A single 1: a node, a class of the whole graph.
struct One {
  int64_t index;
};
/// i / n.
struct Positions {};
/// Each points to the one before it in `order`, the first to itself.
struct Chain {
  const Nodes& order;
};
/// The chain of 0, 1, 2, ...
struct ArrayOrder {};
/// order[i] points to its parent order[(i - 1) / 2] in a heap of the first `size` of `order`; all
/// others to themselves.
struct HeapParents {
  const Nodes& order;
  int64_t size;
};
/// 1 where there is an edge and on the diagonal.
struct Adjacency {
  const Matrix& graph;
};
/// One-hot rows.
struct OneHot {
  const Nodes& classes;
  int64_t count;
};

/// The memory of one probe at one step, all zeros.
struct Cells {
  double* data;
  int64_t size;

  double& at(int64_t index) const {
    if (index < 0 || index >= size) {
      throw std::logic_error("cell " + std::to_string(index) + " of " + std::to_string(size));
    }
    return data[index];
  }
  void expect(size_t count) const {
    if (static_cast<int64_t>(count) != size) {
      throw std::logic_error(std::to_string(count) + " values for " + std::to_string(size) +
                             " cells");
    }
  }
};

void fill(const Cells& cells, double value);
void fill(const Cells& cells, const Reals& values);
void fill(const Cells& cells, const Nodes& values);
void fill(const Cells& cells, const Matrix& values);
void fill(const Cells& cells, One one);
void fill(const Cells& cells, Positions);
void fill(const Cells& cells, const Chain& chain);
void fill(const Cells& cells, ArrayOrder);
void fill(const Cells& cells, const HeapParents& heap);
void fill(const Cells& cells, const Adjacency& adjacency);
void fill(const Cells& cells, const OneHot& rows);

class Trace {
 public:
  /// Empties `sample`, which must outlive the trace.
  Trace(const Spec& spec, int64_t nodes, bool record_hints, Sample& sample);

  int64_t nodes() const { return sample_.nodes; }

  // Values stand in the order of the spec.
  template <typename... Values>
  void inputs(const Values&... values) {
    record(Stage::kInput, values...);
  }
  template <typename... Values>
  void outputs(const Values&... values) {
    record(Stage::kOutput, values...);
  }
  /// One step: a snapshot of all hints.
  template <typename... Values>
  void push(const Values&... values) {
    ++sample_.steps;
    if (record_hints_) record(Stage::kHint, values...);
  }

 private:
  template <typename... Values>
  void record(Stage stage, const Values&... values) {
    int64_t probe = first_probe(stage, sizeof...(values));
    (fill(append(probe++), values), ...);
  }
  /// Throws std::logic_error unless the stage has `count` probes.
  int64_t first_probe(Stage stage, int64_t count) const;
  Cells append(int64_t probe);

  bool record_hints_;
  Sample& sample_;
  std::array<int64_t, 4> starts_{};  // of the stages' probes, and the number of all
  Nodes sizes_;                      // of each probe at one step
};

}  // namespace floydnet::clrs
