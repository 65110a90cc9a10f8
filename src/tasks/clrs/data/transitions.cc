#include "tasks/clrs/data/transitions.h"

#include <utility>

namespace floydnet::clrs {
namespace {

using Numbers = std::vector<double>;

Probe order_of(Probe probe) {
  probe.name += "<";
  probe.location = Location::kEdge;
  probe.type = Type::kMask;
  return probe;
}

/// [n] -> [n, n]
void append_order(const double* numbers, int64_t n, Numbers& to) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) to.push_back(numbers[i] < numbers[j] ? 1 : 0);
  }
}

}  // namespace

TransitionCutter::TransitionCutter(const Spec& spec, NumberHints numbers) : original_(spec) {
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    const Probe& probe = spec.probes[p];
    const bool is_number = probe.stage == Stage::kHint && probe.type == Type::kScalar;
    const bool is_order =
        is_number && numbers == NumberHints::kOrder && probe.location == Location::kNode;
    if (is_number && !is_order && numbers != NumberHints::kValues) continue;
    spec_.probes.push_back(is_order ? order_of(probe) : probe);
    sources_.push_back({static_cast<int64_t>(p), is_order});
  }
}

void TransitionCutter::cut(Sample& sample, int64_t first, int64_t count) const {
  std::vector<Numbers> values;
  for (const Source& source : sources_) {
    const Probe& probe = original_.probes[source.place];
    Numbers& whole = sample.values[source.place];
    if (probe.stage != Stage::kHint) {
      values.push_back(std::move(whole));
      continue;
    }
    const int64_t elements = probe.elements(sample.nodes);
    const double* begin = whole.data() + first * elements;
    values.emplace_back();
    if (!source.is_order) {
      values.back().assign(begin, begin + count * elements);
      continue;
    }
    for (int64_t i = 0; i < count; ++i) {
      append_order(begin + i * elements, sample.nodes, values.back());
    }
  }
  sample.values = std::move(values);
}

}  // namespace floydnet::clrs
