// For each city, those that a good tour may lead to next.
#pragma once

#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

struct Neighbour {
  int city;
  std::int32_t weight;
};

/// Near ones first; ties in the order of cities.
class Neighbours {
 public:
  Neighbours(int cities, int count)
      : count_(count), list_(static_cast<std::size_t>(cities) * static_cast<std::size_t>(count)) {}

  int count() const { return count_; }
  Neighbour* begin(int city) { return list_.data() + static_cast<std::ptrdiff_t>(city) * count_; }
  const Neighbour* begin(int city) const {
    return list_.data() + static_cast<std::ptrdiff_t>(city) * count_;
  }
  const Neighbour* end(int city) const { return begin(city) + count_; }

 private:
  int count_;
  std::vector<Neighbour> list_;
};

/// The `count` nearest; fewer if there are not as many cities.
Neighbours nearest_neighbours(const Instance& instance, int count);

/// Where points are known, an equal number from each quadrant as far as there are, so that clusters
/// stay linked; filled up with the nearest.
Neighbours candidate_neighbours(const Instance& instance, int count);

}  // namespace floydnet::tsp
