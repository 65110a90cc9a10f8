// Solved instances of one size, as they are kept for training: the file's layout is in docs/tsp.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/solver/exact.h"

namespace floydnet::tsp {

struct SolvedSet {
  Kind kind = Kind::kExplicit;
  int cities = 0;
  /// Weights [count, cities, cities] or points [count, cities, 2].
  std::vector<std::uint8_t> numbers = {};
  std::vector<std::int16_t> tours = {};      ///< [count, cities], from 0
  std::vector<std::int64_t> optima = {};     ///< [count], lengths of the tours
  std::vector<std::int64_t> baselines = {};  ///< [count], lengths of Lin-Kernighan's tours
  std::vector<Uniqueness> unique = {};       ///< [count], whether the tour is the only optimum
  std::vector<std::int64_t> attempts = {};   ///< [count], which of the random instances it is
  std::int64_t tried = 0;                    ///< random instances looked at to find these
  std::int64_t unsolved = 0;                 ///< of which so many took longer than the time limit

  std::size_t count() const { return optima.size(); }
  /// With the optimal tour as its reference.
  Problem problem(std::size_t index, const std::string& name) const;
  void append(const Problem& problem, const Tour& tour);
};

/// Atomically.
void write_solved_set(const std::string& path, const SolvedSet& set);
/// Throws InputError unless all tours are tours of the lengths that are claimed.
SolvedSet read_solved_set(const std::string& path);

/// All instances of a file, named NAME-1, NAME-2 and so on.
std::vector<Problem> problems_of(const SolvedSet& set, const std::string& name);

}  // namespace floydnet::tsp
