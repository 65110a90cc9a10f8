// Orbits of k-tuples of nodes under the automorphism group.
//
// Tuples in one orbit have equal states, in k-FWL and in any network that is equivariant, so one
// representative of each orbit is enough. The orbits form a tree: the root's children are the
// orbits of nodes under the group G; those of a representative node a are the orbits of nodes under
// its stabiliser G_a; and so on, k levels deep. Each tree node keeps, for every graph node x, the
// child that x belongs to and an automorphism that takes x to that child's representative.
// Stabilisers are found by nauty, as automorphisms that fix the nodes chosen so far; once a group
// is small, all its members are known, and stabilisers are those that fix one more node.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "floydnet/graph.h"
#include "wl/automorphisms.h"
#include "wl/permutation_pool.h"

namespace floydnet::wl {

/// A stabiliser, its orbits on the nodes, and a transversal. Permutations by number.
struct PointGroup {
  std::vector<uint32_t> generators;  // none for the trivial group
  bool complete = false;             // the generators are all members but the identity, sorted
  double order = 1;
  std::vector<uint16_t> representatives;    // one node of each orbit
  std::vector<uint32_t> sizes;              // of each orbit
  std::vector<uint16_t> orbit_of;           // [n]
  std::vector<uint32_t> to_representative;  // [n]: takes x to its orbit's representative

  bool trivial() const { return generators.empty(); }
};

class TupleOrbits {
 public:
  /// A prefix: the orbit of an i-tuple, i < k, by its representative.
  struct Prefix {
    uint32_t parent = 0;  // on the level above
    uint32_t group = 0;
    uint32_t first_child = 0;  // on the level below; the children of a prefix are consecutive
    uint16_t point = 0;        // the last coordinate
    int64_t size = 1;          // of the orbit
  };
  /// The pivot p and the role r take a representative prefix v to v[r<-p], which lies in the orbit
  /// of `prefix`, and `permutation` takes it to that one's representative.
  struct Target {
    uint32_t prefix = 0;
    uint32_t permutation = PermutationPool::kIdentity;
  };

  /// Throws InputError if the tree would need more than max_bytes.
  TupleOrbits(const Graph& graph, int order, int64_t max_bytes);
  /// The same with the whole group, automorphisms.stabiliser({}), already known.
  TupleOrbits(const Automorphisms& automorphisms, const AutomorphismGroup& whole, int order,
              int64_t max_bytes);

  int order() const { return static_cast<int>(levels_.size()); }
  int64_t nodes() const { return n_; }
  double group_order() const { return groups_[0].order; }
  /// Orbits of k-tuples.
  int64_t count() const { return count_; }

  /// Prefixes of k-1 coordinates. The orbits of k-tuples that begin with one are consecutive, in
  /// the order of its group's representatives.
  const std::vector<Prefix>& prefixes() const { return levels_.back(); }
  const PointGroup& group(const Prefix& prefix) const { return groups_[prefix.group]; }
  std::vector<uint16_t> prefix_tuple(int64_t prefix) const;

  /// The orbit of a k-tuple: k look-ups in transversals.
  int64_t index(const std::vector<int64_t>& tuple) const;
  std::vector<int64_t> representative(int64_t orbit) const;
  int64_t orbit_size(int64_t orbit) const;

  /// For the representative of a prefix, a role below k-1, and all pivots. (Role k-1 keeps the
  /// prefix.) Products of automorphisms are added to permutations().
  void append_targets(int64_t prefix, int role, std::vector<Target>& targets);
  const PermutationPool& permutations() const { return pool_; }
  int64_t bytes() const;

 private:
  using Level = std::vector<Prefix>;

  uint32_t add_group(const AutomorphismGroup& found);
  uint32_t add_complete_group(const std::vector<uint32_t>& members);
  uint32_t add_orbits(PointGroup group);
  std::vector<uint32_t> members_of(const std::vector<uint32_t>& generators);
  bool fixes(const PointGroup& group, uint16_t point) const;
  uint32_t stabiliser(uint32_t group, uint16_t point, int64_t orbit_size,
                      const std::vector<int32_t>& fixed, const Automorphisms& automorphisms);
  uint32_t find_stabiliser(uint32_t group, uint16_t point, int64_t orbit_size,
                           const std::vector<int32_t>& fixed, const Automorphisms& automorphisms);
  void add_level(const Automorphisms& automorphisms, int64_t max_bytes);
  int64_t number_children(Level& level) const;
  std::pair<int64_t, int64_t> prefix_and_child(int64_t orbit) const;

  int64_t n_;
  int64_t count_ = 0;
  int64_t group_bytes_ = 0;
  PermutationPool pool_;
  std::vector<PointGroup> groups_;                             // 0: that of the graph
  std::map<std::vector<uint32_t>, uint32_t> complete_groups_;  // by members
  std::map<std::pair<uint32_t, uint16_t>, uint32_t> stabilisers_;
  std::vector<Level> levels_;  // k of them: prefixes of 0 .. k-1 coordinates
};

}  // namespace floydnet::wl
