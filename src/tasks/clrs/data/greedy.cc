// activity_selector, task_scheduling.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/sorted_order.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

void activity_selector(const Problem& problem, Trace& trace) {
  const Reals& starts = problem.first;
  const Reals& finishes = problem.second;
  trace.inputs(Positions{}, starts, finishes);
  Reals selected(trace.nodes(), 0);
  trace.push(ArrayOrder{}, selected, One{0}, One{0});
  int64_t last = -1;
  for (const int64_t m : sorted_order(finishes)) {
    if (last < 0 || starts[m] >= finishes[last]) {
      selected[m] = 1;
      last = m;
    }
    trace.push(ArrayOrder{}, selected, One{m}, One{last});
  }
  trace.outputs(selected);
}

void task_scheduling(const Problem& problem, Trace& trace) {
  const Reals& deadlines = problem.first;
  trace.inputs(Positions{}, deadlines, problem.second);
  Reals selected(trace.nodes(), 0);
  double time = 0;
  trace.push(ArrayOrder{}, selected, One{0}, time);
  for (const int64_t i : descending_order(problem.second)) {
    if (time < deadlines[i]) {  // always so at first: deadlines start at 1
      selected[i] = 1;
      time += 1;
    }
    trace.push(ArrayOrder{}, selected, One{i}, time);
  }
  trace.outputs(selected);
}

}  // namespace

std::vector<Algorithm> greedy_algorithms() {
  const Probe pos = node("pos", Type::kScalar);
  const Probe selected = node("selected", Type::kMask);
  const Probe pred_h = node("pred_h", Type::kPointer);
  const Probe selected_h = node("selected_h", Type::kMask);
  return {
      {"activity_selector", Category::kGreedy, &kActivitySampler, activity_selector,
       make_spec({pos, node("s", Type::kScalar), node("f", Type::kScalar)}, {selected},
                 {pred_h, selected_h, node("m", Type::kMaskOne), node("k", Type::kMaskOne)})},
      {"task_scheduling", Category::kGreedy, &kTaskSampler, task_scheduling,
       make_spec({pos, integer(node("d", Type::kScalar)), node("w", Type::kScalar)}, {selected},
                 {pred_h, selected_h, node("i", Type::kMaskOne), graph("t", Type::kScalar)})},
  };
}

}  // namespace floydnet::clrs
