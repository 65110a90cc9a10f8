#include "tasks/clrs/data/given_problem.h"

#include <algorithm>
#include <cmath>

#include "base/require.h"

namespace floydnet::clrs {
namespace {

int64_t largest(const double* values, int64_t count) {
  return std::max_element(values, values + count) - values;
}

/// Of characters as one-hot rows, those whose `belongs` is 0 are the text and the others, which
/// come last, the pattern.
void read_strings(const Reals& belongs, const Reals& characters, Problem& problem) {
  for (size_t i = 0; i < belongs.size(); ++i) {
    const bool second = belongs[i] != 0;
    require(second || problem.pattern.empty(),
            "CLRS: input 'string' has a character of the first string behind one of the second");
    (second ? problem.pattern : problem.text)
        .push_back(largest(characters.data() + i * kCharacters, kCharacters));
  }
  require(!problem.text.empty() && !problem.pattern.empty(),
          "CLRS: input 'string' has one string, wanted two");
}

void read_matrix(const Reals& cells, Problem& problem) {
  problem.graph = Matrix(problem.nodes);
  for (int64_t i = 0; i < problem.nodes; ++i) {
    for (int64_t j = 0; j < problem.nodes; ++j) {
      problem.graph(i, j) = cells[i * problem.nodes + j];
    }
  }
}

}  // namespace

Problem problem_of(const Algorithm& algorithm, const std::vector<Reals>& inputs, int64_t nodes) {
  Problem problem;
  problem.nodes = nodes;
  Reals strings;
  for (int64_t p = 0; p < algorithm.spec.count(Stage::kInput); ++p) {
    const Probe& probe = algorithm.spec.probes[p];
    const Reals& values = inputs[p];
    require(std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }),
            "CLRS: input '{}' has a number that is not finite", probe.name);
    if (is_position(probe)) continue;
    if (probe.type == Type::kCategorical) {
      read_strings(strings, values, problem);
    } else if (probe.type == Type::kMaskOne) {
      problem.source = largest(values.data(), nodes);
    } else if (probe.type == Type::kScalar && probe.location == Location::kEdge) {
      read_matrix(values, problem);
    } else if (probe.type == Type::kScalar && probe.location == Location::kGraph) {
      problem.target = values[0];
    } else if (probe.type == Type::kScalar) {
      (problem.first.empty() ? problem.first : problem.second) = values;
    } else if (probe.location == Location::kNode) {
      strings = values;
    }
  }
  // Its keys lie between the nodes.
  if (algorithm.sampler == &kOptimalBstSampler) problem.first.pop_back();
  return problem;
}

}  // namespace floydnet::clrs
