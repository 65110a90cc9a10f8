#include "tasks/graphs/batches/order.h"

#include <algorithm>
#include <cmath>

#include "base/draws.h"

namespace floydnet::graphs {
namespace {

/// A step may reach into the next epoch, and loaders are some steps ahead.
constexpr size_t kKeptEpochs = 4;

void sort_by_size(std::vector<int64_t>& graphs, const std::vector<int64_t>& sizes) {
  std::stable_sort(graphs.begin(), graphs.end(), [&sizes](int64_t a, int64_t b) {
    return sizes[static_cast<size_t>(a)] > sizes[static_cast<size_t>(b)];
  });
}

}  // namespace

EpochOrder::EpochOrder(std::vector<int64_t> graphs, uint64_t seed)
    : graphs_(std::move(graphs)), seed_(seed) {}

EpochOrder::Order EpochOrder::epoch(int64_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = kept_.find(number);
  if (found != kept_.end()) return found->second;
  auto order = std::make_shared<std::vector<int64_t>>(graphs_);
  Draws({seed_, static_cast<uint64_t>(number)}).shuffle(*order);
  kept_[number] = order;
  if (kept_.size() > kKeptEpochs) kept_.erase(kept_.begin());
  return order;
}

std::vector<int64_t> EpochOrder::at(int64_t first, int64_t count) const {
  std::vector<int64_t> found;
  const auto all = static_cast<int64_t>(graphs_.size());
  while (count > 0) {
    const Order order = epoch(first / all);
    const int64_t place = first % all;
    const int64_t here = std::min(count, all - place);
    found.insert(found.end(), order->begin() + place, order->begin() + place + here);
    first += here;
    count -= here;
  }
  return found;
}

std::vector<int64_t> share_of(std::vector<int64_t> graphs, const std::vector<int64_t>& sizes,
                              int64_t part, int64_t parts) {
  sort_by_size(graphs, sizes);
  std::vector<int64_t> share;
  for (int64_t i = 0; i < static_cast<int64_t>(graphs.size()); ++i) {
    const bool back = (i / parts) % 2 == 1;
    const int64_t owner = back ? parts - 1 - i % parts : i % parts;
    if (owner == part) share.push_back(graphs[static_cast<size_t>(i)]);
  }
  return share;
}

double tuples_of(int64_t nodes, int64_t order) {
  return std::pow(static_cast<double>(nodes), static_cast<double>(order));
}

std::vector<std::vector<int64_t>> cut_to_pieces(std::vector<int64_t> graphs,
                                                const std::vector<int64_t>& sizes, int64_t order,
                                                double budget) {
  sort_by_size(graphs, sizes);
  std::vector<std::vector<int64_t>> pieces;
  double tuples = 0;
  for (const int64_t graph : graphs) {
    const double more = tuples_of(sizes[static_cast<size_t>(graph)], order);
    if (pieces.empty() || tuples + more > budget) {
      pieces.emplace_back();
      tuples = 0;
    }
    pieces.back().push_back(graph);
    tuples += more;
  }
  return pieces;
}

}  // namespace floydnet::graphs
