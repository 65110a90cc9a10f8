#include "tasks/counting/data/homomorphisms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "floydnet/error.h"
#include "tasks/counting/data/pattern.h"

namespace floydnet::counting {
namespace {

constexpr int64_t kMaxTableEntries = int64_t{1} << 25;

[[noreturn]] void refuse_overflow(int64_t nodes) {
  throw InputError(
      fmt::format("a number of homomorphisms in a graph of {} nodes does not fit 63 bits", nodes));
}

int64_t table_entries(int64_t nodes, size_t variables) {
  int64_t entries = 1;
  for (size_t i = 0; i < variables; ++i) {
    entries *= nodes;
    if (entries > kMaxTableEntries) {
      throw InputError(fmt::format(
          "a graph of {} nodes needs a table of {}^{} entries for homomorphisms, more than {}",
          nodes, nodes, variables, kMaxTableEntries));
    }
  }
  return entries;
}

}  // namespace

/// Chooses the order in which nodes are summed out, and writes the steps down.
class HomomorphismCounter::Builder {
 public:
  explicit Builder(const Graph& pattern)
      : pattern_(pattern), nodes_(static_cast<int32_t>(pattern.nodes())), shared_(nodes_) {
    for (auto& row : shared_) row.resize(static_cast<size_t>(nodes_));
    for (const auto& [u, v] : pattern.edges()) share(u, v);
    for (int32_t node = 2; node < nodes_; ++node) waiting_.push_back(node);
  }

  std::vector<Step> build() {
    while (!waiting_.empty()) {
      const auto next =
          std::min_element(waiting_.begin(), waiting_.end(), [&](int32_t u, int32_t v) {
            return std::pair(partners(u).size(), missing(u)) <
                   std::pair(partners(v).size(), missing(v));
          });
      const int32_t node = *next;
      waiting_.erase(next);
      sum_out(node);
    }
    add_step({0, 1}, {0, 1}, [](const Table&) { return true; });
    return std::move(steps_);
  }

 private:
  struct Table {
    size_t step;
    std::vector<int32_t> nodes;  // sorted
    bool used = false;

    bool has(int32_t node) const { return std::binary_search(nodes.begin(), nodes.end(), node); }
  };

  void share(int32_t u, int32_t v) { shared_[u][v] = shared_[v][u] = true; }

  /// The nodes, still there, that share a factor with this one.
  std::vector<int32_t> partners(int32_t node) const {
    std::vector<int32_t> found;
    for (int32_t other = 0; other < nodes_; ++other) {
      if (shared_[node][other]) found.push_back(other);
    }
    return found;
  }

  /// Pairs of partners that would come to share a factor only through this node's end.
  int64_t missing(int32_t node) const {
    int64_t count = 0;
    for (const int32_t u : partners(node)) {
      for (const int32_t v : partners(node)) count += u < v && !shared_[u][v];
    }
    return count;
  }

  void sum_out(int32_t node) {
    const std::vector<int32_t> rest = partners(node);
    add_step(linked_order(pattern_, {node}, rest), rest,
             [node](const Table& table) { return table.has(node); });
    for (const int32_t u : rest) {
      for (const int32_t v : rest) {
        if (u < v) share(u, v);
      }
      shared_[node][u] = shared_[u][node] = false;
    }
  }

  /// A step that visits `order` and leaves a table over `output`; it uses up the tables that `uses`
  /// says.
  template <typename Uses>
  void add_step(const std::vector<int32_t>& order, const std::vector<int32_t>& output, Uses uses) {
    const auto places_of = [&](const std::vector<int32_t>& some) {
      std::vector<int32_t> places;
      for (const int32_t node : some) {
        const auto found = std::find(order.begin(), order.end(), node);
        places.push_back(static_cast<int32_t>(found - order.begin()));
      }
      return places;
    };
    Step step;
    for (auto& linked : linked_places(pattern_, order)) step.places.push_back({linked, {}});
    for (Table& table : open_) {
      table.used = uses(table);
      if (!table.used) continue;
      std::vector<int32_t> places = places_of(table.nodes);
      const auto last = std::max_element(places.begin(), places.end());
      const size_t known = last == places.end() ? 0 : static_cast<size_t>(*last);
      step.places[known].messages.push_back({table.step, std::move(places)});
    }
    open_.erase(std::remove_if(open_.begin(), open_.end(), [](const Table& t) { return t.used; }),
                open_.end());
    step.output = places_of(output);
    open_.push_back({steps_.size(), output});
    steps_.push_back(std::move(step));
  }

  const Graph& pattern_;
  int32_t nodes_;
  std::vector<std::vector<bool>> shared_;  // whether two nodes share a factor
  std::vector<int32_t> waiting_;
  std::vector<Table> open_;  // made, and not used up
  std::vector<Step> steps_;
};

HomomorphismCounter::HomomorphismCounter(const Graph& pattern)
    : steps_(Builder(pattern).build()),
      tables_(steps_.size()),
      images_(static_cast<size_t>(pattern.nodes())) {}

const std::vector<int64_t>& HomomorphismCounter::count(const Target& target) {
  for (size_t step = 0; step < steps_.size(); ++step) run_step(step, target);
  return tables_.back();
}

int64_t HomomorphismCounter::width() const {
  size_t width = 0;
  for (const Step& step : steps_) width = std::max(width, step.output.size());
  return static_cast<int64_t>(width);
}

void HomomorphismCounter::run_step(size_t step, const Target& target) {
  const int64_t entries = table_entries(target.nodes(), steps_[step].output.size());
  tables_[step].assign(static_cast<size_t>(entries), 0);
  visit(steps_[step], target, 0, 1, tables_[step]);
}

size_t HomomorphismCounter::index(const std::vector<int32_t>& places, int64_t nodes) const {
  int64_t index = 0;
  for (const int32_t place : places) index = index * nodes + images_[place];
  return static_cast<size_t>(index);
}

void HomomorphismCounter::visit(const Step& step, const Target& target, size_t place,
                                int64_t product, std::vector<int64_t>& table) {
  if (place == step.places.size()) {
    int64_t& sum = table[index(step.output, target.nodes())];
    if (__builtin_add_overflow(sum, product, &sum)) refuse_overflow(target.nodes());
    return;
  }
  for_each_candidate(target, step.places[place].linked, images_.data(), [&](int32_t image) {
    images_[place] = image;
    int64_t value = product;
    for (const Message& message : step.places[place].messages) {
      const int64_t factor = tables_[message.table][index(message.places, target.nodes())];
      if (__builtin_mul_overflow(value, factor, &value)) refuse_overflow(target.nodes());
    }
    if (value != 0) visit(step, target, place + 1, value, table);
  });
}

}  // namespace floydnet::counting
