// insertion_sort, bubble_sort, heapsort, quicksort.
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/partition.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

void insertion_sort(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  SortedArray array(problem.first);
  trace.push(Chain{array.order}, One{0}, One{0});
  for (int64_t j = 1; j < trace.nodes(); ++j) {
    const double key = array.keys[j];
    int64_t slot = j;
    for (; slot > 0 && array.keys[slot - 1] > key; --slot) {
      array.keys[slot] = array.keys[slot - 1];
      array.order[slot] = array.order[slot - 1];
    }
    const int64_t displaced = array.order[slot];
    array.keys[slot] = key;
    array.order[slot] = j;
    trace.push(Chain{array.order}, One{displaced}, One{j});
  }
  trace.outputs(Chain{array.order});
}

void bubble_sort(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  SortedArray array(problem.first);
  const int64_t n = trace.nodes();
  trace.push(Chain{array.order}, One{0}, One{0});
  for (int64_t i = 0; i < n - 1; ++i) {
    for (int64_t j = n - 1; j > i; --j) {
      if (array.keys[j] < array.keys[j - 1]) array.swap(j, j - 1);
      trace.push(Chain{array.order}, One{array.order[i]}, One{array.order[j]});
    }
  }
  trace.outputs(Chain{array.order});
}

class Heapsort {
 public:
  Heapsort(const Problem& problem, Trace& trace) : array_(problem.first), trace_(trace) {}

  void run() {
    const int64_t n = trace_.nodes();
    push(n, n - 1, n - 1, n - 1, kBuild);
    for (int64_t i = n - 1; i >= 0; --i) sift(i, n, i, kBuild);
    for (int64_t i = n - 1; i > 0; --i) {
      array_.swap(0, i);
      push(i, array_.order[0], array_.order[i], 0, kExtract);
      sift(0, i, i, kSift);
    }
    trace_.outputs(Chain{array_.order});
  }

 private:
  enum Phase { kBuild, kExtract, kSift };

  void push(int64_t heap_size, int64_t i, int64_t j, int64_t largest, Phase phase) {
    trace_.push(Chain{array_.order}, HeapParents{array_.order, heap_size}, One{i}, One{j},
                One{largest}, One{array_.order[heap_size - 1]}, One{phase});
  }

  /// Lets the key in slot i sink; `start` is the slot that the hint i shows meanwhile.
  void sift(int64_t i, int64_t heap_size, int64_t start, Phase phase) {
    while (true) {
      int64_t largest = i;
      for (const int64_t child : {2 * i + 1, 2 * i + 2}) {
        if (child < heap_size && array_.keys[child] > array_.keys[largest]) largest = child;
      }
      if (largest != i) array_.swap(i, largest);
      push(heap_size, array_.order[start], array_.order[i], array_.order[largest], phase);
      if (largest == i) return;
      i = largest;
    }
  }

  SortedArray array_;
  Trace& trace_;
};

void heapsort(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  Heapsort(problem, trace).run();
}

void sort_range(SortedArray& array, Trace& trace, int64_t first, int64_t last) {
  if (first >= last) return;
  const int64_t pivot = partition(array, first, last, [&](const PartitionStep& step) {
    trace.push(Chain{array.order}, One{step.first}, One{step.last}, One{step.i}, One{step.j});
  });
  sort_range(array, trace, first, pivot - 1);
  sort_range(array, trace, pivot + 1, last);
}

void quicksort(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first);
  SortedArray array(problem.first);
  sort_range(array, trace, 0, trace.nodes() - 1);
  trace.outputs(Chain{array.order});
}

Algorithm sort(const char* name, void (*run)(const Problem&, Trace&), std::vector<Probe> hints) {
  hints.insert(hints.begin(), node("pred_h", Type::kPointer));
  return {name, Category::kSorting, &kSortingSampler, run,
          make_spec({node("pos", Type::kScalar), node("key", Type::kScalar)},
                    {integer(node("pred", Type::kShouldBePermutation))}, std::move(hints))};
}

}  // namespace

std::vector<Algorithm> sorting_algorithms() {
  const Probe i = node("i", Type::kMaskOne);
  const Probe j = node("j", Type::kMaskOne);
  return {
      sort("insertion_sort", insertion_sort, {i, j}),
      sort("bubble_sort", bubble_sort, {i, j}),
      sort("heapsort", heapsort,
           {node("parent", Type::kPointer), i, j, node("largest", Type::kMaskOne),
            node("heap_size", Type::kMaskOne), graph("phase", Type::kCategorical, 3)}),
      sort("quicksort", quicksort, {node("p", Type::kMaskOne), node("r", Type::kMaskOne), i, j}),
  };
}

}  // namespace floydnet::clrs
