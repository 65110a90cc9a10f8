// find_maximum_subarray_kadane.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

struct Subarray {
  int64_t first, last;
  double sum;
};

void kadane(const Problem& problem, Trace& trace) {
  const Reals& keys = problem.first;
  trace.inputs(Positions{}, keys);
  Subarray current{0, 0, keys[0]};
  Subarray best = current;
  const auto push = [&] {
    trace.push(ArrayOrder{}, One{best.first}, One{best.last}, best.sum, One{current.first},
               One{current.last}, current.sum);
  };
  push();
  for (int64_t j = 1; j < trace.nodes(); ++j) {
    // Not "sum >= 0": rounding tells the two apart, and the reference compares these.
    if (current.sum + keys[j] >= keys[j]) {
      current = {current.first, j, current.sum + keys[j]};
    } else {
      current = {j, j, keys[j]};
    }
    if (current.sum > best.sum) best = current;
    push();
  }
  trace.outputs(One{best.first}, One{best.last});
}

}  // namespace

std::vector<Algorithm> divide_and_conquer_algorithms() {
  return {
      {"find_maximum_subarray_kadane", Category::kDivideAndConquer, &kMaxSubarraySampler, kadane,
       make_spec(
           {node("pos", Type::kScalar), node("key", Type::kScalar)},
           {node("start", Type::kMaskOne), node("end", Type::kMaskOne)},
           {node("pred_h", Type::kPointer), node("best_low", Type::kMaskOne),
            node("best_high", Type::kMaskOne), graph("best_sum", Type::kScalar),
            node("i", Type::kMaskOne), node("j", Type::kMaskOne), graph("sum", Type::kScalar)})},
  };
}

}  // namespace floydnet::clrs
