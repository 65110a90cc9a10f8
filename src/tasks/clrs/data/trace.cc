#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {

void fill(const Cells& cells, double value) { cells.at(0) = value; }

void fill(const Cells& cells, const Reals& values) {
  cells.expect(values.size());
  std::copy(values.begin(), values.end(), cells.data);
}

void fill(const Cells& cells, const Nodes& values) {
  cells.expect(values.size());
  std::copy(values.begin(), values.end(), cells.data);
}

void fill(const Cells& cells, const Matrix& values) { fill(cells, values.cells()); }

void fill(const Cells& cells, One one) { cells.at(one.index) = 1; }

void fill(const Cells& cells, Positions) {
  for (int64_t i = 0; i < cells.size; ++i) {
    cells.data[i] = static_cast<double>(i) / static_cast<double>(cells.size);
  }
}

void fill(const Cells& cells, const Chain& chain) {
  cells.expect(chain.order.size());
  int64_t before = chain.order[0];
  for (const int64_t node : chain.order) {
    cells.data[node] = static_cast<double>(before);
    before = node;
  }
}

void fill(const Cells& cells, ArrayOrder) {
  for (int64_t i = 1; i < cells.size; ++i) cells.data[i] = static_cast<double>(i - 1);
}

void fill(const Cells& cells, const HeapParents& heap) {
  cells.expect(heap.order.size());
  for (int64_t i = 0; i < cells.size; ++i) cells.data[i] = static_cast<double>(i);
  for (int64_t i = 1; i < heap.size; ++i) {
    cells.data[heap.order[i]] = static_cast<double>(heap.order[(i - 1) / 2]);
  }
}

void fill(const Cells& cells, const Adjacency& adjacency) {
  const int64_t n = adjacency.graph.size();
  cells.expect(adjacency.graph.cells().size());
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      cells.data[i * n + j] = i == j || adjacency.graph(i, j) != 0 ? 1 : 0;
    }
  }
}

void fill(const Cells& cells, const OneHot& rows) {
  cells.expect(rows.classes.size() * rows.count);
  for (size_t i = 0; i < rows.classes.size(); ++i) cells.data[i * rows.count + rows.classes[i]] = 1;
}

Trace::Trace(const Spec& spec, int64_t nodes, bool record_hints, Sample& sample)
    : record_hints_(record_hints), sample_(sample) {
  sample.reset(spec, nodes);
  for (const Probe& probe : spec.probes) sizes_.push_back(probe.elements(nodes));
  starts_ = {0, spec.first(Stage::kOutput), spec.first(Stage::kHint),
             static_cast<int64_t>(spec.probes.size())};
}

int64_t Trace::first_probe(Stage stage, int64_t count) const {
  const int64_t first = starts_[static_cast<size_t>(stage)];
  const int64_t wanted = starts_[static_cast<size_t>(stage) + 1] - first;
  if (count == wanted) return first;
  throw std::logic_error(std::to_string(count) + " values for " + std::to_string(wanted) +
                         " probes of stage " + text(stage));
}

Cells Trace::append(int64_t probe) {
  std::vector<double>& values = sample_.values[probe];
  const size_t old_size = values.size();
  values.resize(old_size + sizes_[probe]);
  return {values.data() + old_size, sizes_[probe]};
}

}  // namespace floydnet::clrs
