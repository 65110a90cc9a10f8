#include "tasks/clrs/data/postprocessing.h"

#include <algorithm>

namespace floydnet::clrs {
namespace {

/// Sorting moves the elements of the array, so its pred_h changes.
bool has_constant_order(const Algorithm& algorithm) {
  return algorithm.spec.find(Stage::kHint, "pred_h") >= 0 &&
         algorithm.category != Category::kSorting && algorithm.name != "quickselect";
}

int64_t find_permutation(const Spec& spec) {
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    if (spec.probes[p].type == Type::kShouldBePermutation) return static_cast<int64_t>(p);
  }
  return -1;
}

/// Where a string, or the array, begins.
bool is_head(double position) { return position == 0; }

void randomize_positions(Reals& positions, RandomState& random) {
  Reals drawn = random.uniform(0, 1, static_cast<int64_t>(positions.size()));
  auto start = drawn.begin();
  for (size_t i = 1; i <= positions.size(); ++i) {
    if (i < positions.size() && !is_head(positions[i])) continue;
    const auto end = drawn.begin() + static_cast<std::ptrdiff_t>(i);
    std::sort(start, end);
    start = end;
  }
  positions = std::move(drawn);
}

struct CyclicPermutation {
  Reals rows;  // [n, n], one-hot
  Reals first;
};

CyclicPermutation cyclic_permutation(const Reals& pointers) {
  const auto n = static_cast<int64_t>(pointers.size());
  CyclicPermutation result{Reals(n * n, 0), Reals(n, 0)};
  std::vector<bool> pointed_to(n, false);
  int64_t first = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto to = static_cast<int64_t>(pointers[i]);
    if (to == i) {
      first = i;
      continue;
    }
    result.rows[i * n + to] = 1;
    pointed_to[to] = true;
  }
  const int64_t last = std::find(pointed_to.begin(), pointed_to.end(), false) - pointed_to.begin();
  result.rows[first * n + last] = 1;
  result.first[first] = 1;
  return result;
}

}  // namespace

/// What pred_h says at every step, but it is there even if hints are not recorded.
Reals predecessors(const Reals& positions) {
  Reals result(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    result[i] = static_cast<double>(i == 0 || is_head(positions[i]) ? i : i - 1);
  }
  return result;
}

Postprocessor::Postprocessor(const Algorithm& algorithm, const Postprocessing& options)
    : options_(options),
      positions_(algorithm.spec.find(Stage::kInput, "pos")),
      order_hint_(-1),
      order_input_(algorithm.spec.first(Stage::kOutput)),
      permutation_(find_permutation(algorithm.spec)),
      spec_(algorithm.spec) {
  if (permutation_ >= 0) {
    Probe& output = spec_.probes[permutation_];
    output.type = options.permutation_outputs ? Type::kPermutationPointer : Type::kPointer;
  }
  if (!options.permutation_outputs) permutation_ = -1;
  if (permutation_ >= 0) {
    Probe& output = spec_.probes[permutation_];
    output.dtype = Dtype::kFloat32;
    Probe mask = output;
    mask.name += "_mask";
    mask.type = Type::kMaskOne;
    spec_.probes.insert(spec_.probes.begin() + permutation_ + 1, mask);
  }
  if (options.predecessor_as_input && has_constant_order(algorithm)) {
    order_hint_ = spec_.find(Stage::kHint, "pred_h");
    Probe input = spec_.probes[order_hint_];
    input.name = "pred";
    input.stage = Stage::kInput;
    spec_.probes.erase(spec_.probes.begin() + order_hint_);
    spec_.probes.insert(spec_.probes.begin() + order_input_, input);
  }
}

void Postprocessor::apply(Sample& sample, RandomState& random) const {
  std::vector<Reals>& values = sample.values;
  if (permutation_ >= 0) {
    CyclicPermutation cyclic = cyclic_permutation(values[permutation_]);
    values[permutation_] = std::move(cyclic.rows);
    values.insert(values.begin() + permutation_ + 1, std::move(cyclic.first));
  }
  if (order_hint_ >= 0) {
    values.erase(values.begin() + order_hint_);
    values.insert(values.begin() + order_input_, predecessors(values[positions_]));
  }
  if (options_.random_positions) randomize_positions(values[positions_], random);
}

}  // namespace floydnet::clrs
