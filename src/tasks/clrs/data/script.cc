#include "tasks/clrs/data/script.h"

#include "tasks/clrs/data/sampler.h"

namespace floydnet::clrs {
namespace {

bool has_sparse_graphs(const Algorithm& algorithm) {
  return algorithm.sampler == &kArticulationSampler || algorithm.sampler == &kSpanningTreeSampler;
}

}  // namespace

std::vector<double> script_edge_probabilities(const Algorithm& algorithm) {
  std::vector<double> all;
  for (int i = 0; i < 9; ++i) {
    const double p = 0.1 + 0.1 * i;
    all.push_back(has_sparse_graphs(algorithm) ? p / 2 : p);
  }
  return all;
}

}  // namespace floydnet::clrs
