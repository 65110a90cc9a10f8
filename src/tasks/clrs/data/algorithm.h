// The 30 algorithms of the CLRS benchmark: what they are called, what data they have, how they run.
#pragma once

#include <string>
#include <vector>

#include "tasks/clrs/data/problem.h"
#include "tasks/clrs/data/sample.h"
#include "tasks/clrs/data/sampler.h"
#include "tasks/clrs/data/spec.h"

namespace floydnet::clrs {

class Trace;

enum class Category {
  kDivideAndConquer,
  kDynamicProgramming,
  kGeometry,
  kGraphs,
  kGreedy,
  kSearch,
  kSorting,
  kStrings
};

/// As the benchmark's tables have it, "Divide & Conquer".
const char* text(Category category);

struct Algorithm {
  std::string name;
  Category category;
  const Sampler* sampler;
  /// Solves a problem and records it.
  void (*run)(const Problem& problem, Trace& trace);
  Spec spec;
};

/// All 30, by name.
const std::vector<Algorithm>& algorithms();

/// InputError that suggests the nearest name if there is no such algorithm.
const Algorithm& find_algorithm(const std::string& name);

/// Solves a problem of the algorithm's sampler. Without hints only their number is recorded.
void solve(const Algorithm& algorithm, const Problem& problem, bool record_hints, Sample& sample);

}  // namespace floydnet::clrs
