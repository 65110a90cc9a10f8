// Inequalities that every tour fulfils, all in one form: node sets and a right-hand side.
#pragma once

#include <map>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

using NodeSet = std::vector<int>;  ///< sorted

/// x(delta(S)) summed over the sets is at least rhs(). One set: a subtour cut, rhs 2. More: a comb,
/// its handle first, then t teeth, rhs 3t + 1.
struct Cut {
  std::vector<NodeSet> sets;

  int teeth() const { return static_cast<int>(sets.size()) - 1; }
  int rhs() const { return teeth() == 0 ? 2 : 3 * teeth() + 1; }
};

/// Sorts the sets; a subtour's set and a handle become the smaller side.
Cut canonical(Cut cut, int cities);

/// All cuts found so far, each once.
class CutPool {
 public:
  /// The number of the cut, and whether it is new.
  std::pair<int, bool> add(const Cut& cut);
  const Cut& operator[](int i) const { return *cuts_[i]; }
  int size() const { return static_cast<int>(cuts_.size()); }

 private:
  struct Less {
    bool operator()(const Cut& a, const Cut& b) const { return a.sets < b.sets; }
  };
  std::map<Cut, int, Less> numbers_;
  std::vector<const Cut*> cuts_;
};

}  // namespace floydnet::tsp
