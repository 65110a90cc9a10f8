// Homomorphisms of a small pattern, counted along a tree decomposition.
//
// With f running over the maps of the pattern's nodes to the target's, the count is the sum over f
// of a product of edge indicators. Nodes other than 0 and 1 are summed out one by one: what depends
// on v is multiplied and summed over v's image, which leaves a table over the images of the nodes
// that shared a factor with v. The work for v is that of visiting those images along edges, so for
// a pattern of treewidth 2 at most nodes * degree^2 a step. What remains is the table over the
// images of (0, 1), the counts at edge level; its sums are those at node and at graph level.
#pragma once

#include <cstdint>
#include <vector>

#include "floydnet/graph.h"
#include "tasks/counting/data/target.h"

namespace floydnet::counting {

class HomomorphismCounter {
 public:
  /// A simple graph with at least two nodes.
  explicit HomomorphismCounter(const Graph& pattern);

  /// [n, n]: how many homomorphisms send nodes 0 and 1 to row and column. Valid until the next
  /// call. Throws InputError if a number does not fit 63 bits or a table does not fit memory.
  const std::vector<int64_t>& count(const Target& target);

  /// The most nodes that a table ranges over.
  int64_t width() const;

 private:
  /// The table of an earlier step, looked up by the images at these places.
  struct Message {
    size_t table;
    std::vector<int32_t> places;
  };
  /// One node of the pattern whose image is chosen.
  struct Place {
    std::vector<int32_t> linked;    // earlier places that its image must be adjacent to
    std::vector<Message> messages;  // those whose places are all known from here on
  };
  /// Visits the images of some nodes and adds up the products of messages in the step's table.
  struct Step {
    std::vector<Place> places;
    std::vector<int32_t> output;  // places that index the table
  };
  class Builder;

  void run_step(size_t step, const Target& target);
  void visit(const Step& step, const Target& target, size_t place, int64_t product,
             std::vector<int64_t>& table);
  size_t index(const std::vector<int32_t>& places, int64_t nodes) const;

  std::vector<Step> steps_;
  std::vector<std::vector<int64_t>> tables_;  // one a step
  std::vector<int32_t> images_;               // by place
};

}  // namespace floydnet::counting
