// Instances with optimal tours to learn from: made and solved as they are needed, or from files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/dataset/solved_set.h"

namespace floydnet::tsp {

struct SolvedInstance {
  Instance instance;
  Tour tour;
};

/// Cities renamed at random: city i becomes another. The same for the same seed.
SolvedInstance relabelled(const SolvedInstance& solved, std::uint64_t seed);

/// A random instance and its optimal tour; the same on every machine.
SolvedInstance solved_random(Kind kind, int cities, std::uint64_t seed, std::uint64_t index);

/// All sets of a folder that have one of the sizes. InputError if one is of another kind, or if
/// there is none.
class StoredInstances {
 public:
  StoredInstances(const std::string& folder, Kind kind, const std::vector<std::int64_t>& sizes);

  std::size_t count() const { return places_.size(); }
  SolvedInstance at(std::size_t place) const;

 private:
  struct Place {
    std::size_t set, index;
  };
  std::vector<SolvedSet> sets_;
  std::vector<Place> places_;
};

}  // namespace floydnet::tsp
