// minimum, binary_search, quickselect.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/partition.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

void minimum(const Problem& problem, Trace& trace) {
  const Reals& keys = problem.first;
  trace.inputs(Positions{}, keys);
  int64_t least = 0;
  trace.push(ArrayOrder{}, One{0}, One{0});
  for (int64_t i = 1; i < trace.nodes(); ++i) {
    if (keys[least] > keys[i]) least = i;
    trace.push(ArrayOrder{}, One{least}, One{i});
  }
  trace.outputs(One{least});
}

void binary_search(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first, problem.target);
  int64_t low = 0;
  int64_t high = trace.nodes() - 1;
  const auto middle = [&] { return (low + high) / 2; };
  trace.push(ArrayOrder{}, One{low}, One{high}, One{middle()});
  while (low < high) {
    if (problem.target <= problem.first[middle()]) {
      high = middle();
    } else {
      low = middle() + 1;
    }
    trace.push(ArrayOrder{}, One{low}, One{high}, One{middle()});
  }
  trace.outputs(One{high});
}

void quickselect(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  SortedArray array(problem.first);
  const auto n = static_cast<double>(trace.nodes());
  int64_t first = 0;
  int64_t last = trace.nodes() - 1;
  int64_t target = trace.nodes() / 2;  // counted from `first`
  while (true) {
    const int64_t pivot = partition(array, first, last, [&](const PartitionStep& step) {
      // While it scans, the reference shows the rank in the whole array, and at last in the range.
      const int64_t rank = step.done ? step.rank - first : step.rank;
      trace.push(Chain{array.order}, One{step.first}, One{step.last}, One{step.i}, One{step.j},
                 static_cast<double>(rank) / n, static_cast<double>(target) / n, One{step.pivot});
    });
    const int64_t rank = pivot - first;
    if (target == rank) {
      trace.outputs(One{array.order[pivot]});
      return;
    }
    if (target < rank) {
      last = pivot - 1;
    } else {
      first = pivot + 1;
      target -= rank + 1;
    }
  }
}

}  // namespace

std::vector<Algorithm> search_algorithms() {
  const Probe pos = node("pos", Type::kScalar);
  const Probe key = node("key", Type::kScalar);
  const Probe pred_h = node("pred_h", Type::kPointer);
  const Probe i = node("i", Type::kMaskOne);
  return {
      {"minimum", Category::kSearch, &kSortingSampler, minimum,
       make_spec({pos, key}, {node("min", Type::kMaskOne)},
                 {pred_h, node("min_h", Type::kMaskOne), i})},
      {"binary_search", Category::kSearch, &kSearchSampler, binary_search,
       make_spec({pos, key, graph("target", Type::kScalar)}, {node("return", Type::kMaskOne)},
                 {pred_h, node("low", Type::kMaskOne), node("high", Type::kMaskOne),
                  node("mid", Type::kMaskOne)})},
      {"quickselect", Category::kSearch, &kSortingSampler, quickselect,
       make_spec({pos, key}, {node("median", Type::kMaskOne)},
                 {pred_h, node("p", Type::kMaskOne), node("r", Type::kMaskOne), i,
                  node("j", Type::kMaskOne), graph("i_rank", Type::kScalar),
                  graph("target", Type::kScalar), node("pivot", Type::kMaskOne)})},
  };
}

}  // namespace floydnet::clrs
