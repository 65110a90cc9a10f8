#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "floydnet/wl.h"
#include "wl/atoms.h"
#include "wl/plan.h"
#include "wl/relabel.h"
#include "wl/round.h"

namespace floydnet {
namespace wl {
namespace {

class Refiner {
 public:
  Refiner(const std::vector<const Graph*>& graphs, const WlOptions& options)
      : options_(options), plan_(make_plan(graphs, options)), atoms_(pair_atoms(graphs)) {
    for (const TupleSpace& space : plan_.spaces) {
      first_cells_.push_back(cells_);
      cells_ += space.cells();
    }
    keys_.resize(static_cast<size_t>(cells_));
    colours_.resize(keys_.size());
    rows_.resize(graphs.size());
  }

  WlRefinement run() {
    colour_initially();
    const int64_t limit = options_.rounds.value_or(std::numeric_limits<int64_t>::max());
    while (result_.rounds < limit && !done()) refine_once();
    result_.bytes = plan_.bytes;
    result_.evaluated_tuples = cells_;
    result_.compressed = std::any_of(plan_.spaces.begin(), plan_.spaces.end(),
                                     [](const TupleSpace& space) { return space.compressed(); });
    return std::move(result_);
  }

 private:
  bool done() const {
    return result_.stable || (options_.stop_when_distinguished && all_distinguished());
  }

  bool all_distinguished() const {
    auto sorted = std::vector<const WlHistogram*>();
    for (const WlHistogram& histogram : result_.histograms) sorted.push_back(&histogram);
    std::sort(sorted.begin(), sorted.end(),
              [](const WlHistogram* a, const WlHistogram* b) { return *a < *b; });
    return std::adjacent_find(
               sorted.begin(), sorted.end(),
               [](const WlHistogram* a, const WlHistogram* b) { return *a == *b; }) == sorted.end();
  }

  void colour_initially() {
    for (size_t g = 0; g < plan_.spaces.size(); ++g) {
      initial_keys(plan_.spaces[g], options_.order, atoms_[g], options_.threads,
                   keys_.data() + first_cells_[g]);
    }
    take_colours(relabel(keys_, colours_));
  }

  void refine_once() {
    for (size_t g = 0; g < plan_.spaces.size(); ++g) {
      refined_keys(plan_.spaces[g], options_.order, atoms_[g], rows(g), options_.threads,
                   keys_.data() + first_cells_[g]);
    }
    const int64_t colours = relabel(keys_, colours_);
    // A tuple's old colour is part of its new one, so colours are only ever split.
    if (colours == result_.colours) {
      result_.stable = true;
      return;
    }
    ++result_.rounds;
    take_colours(colours);
  }

  const uint32_t* rows(size_t g) const {
    return plan_.spaces[g].compressed() ? rows_[g].data() : colours_.data() + first_cells_[g];
  }

  void take_colours(int64_t colours) {
    result_.colours = colours;
    result_.histograms.clear();
    std::vector<int64_t> counts(static_cast<size_t>(colours), 0);
    for (size_t g = 0; g < plan_.spaces.size(); ++g) {
      const uint32_t* cell_colours = colours_.data() + first_cells_[g];
      plan_.spaces[g].fill_rows(cell_colours, rows_[g]);
      result_.histograms.push_back(histogram(plan_.spaces[g], cell_colours, counts));
    }
  }

  /// `counts` is zero before and after.
  static WlHistogram histogram(const TupleSpace& space, const uint32_t* cell_colours,
                               std::vector<int64_t>& counts) {
    WlHistogram result;
    for (int64_t prefix = 0; prefix < space.prefixes(); ++prefix) {
      const TupleSpace::Cells cells = space.cells_of(prefix);
      for (int64_t i = 0; i < cells.count; ++i) {
        const uint32_t colour = cell_colours[cells.first + i];
        if (counts[colour] == 0) result.emplace_back(colour, 0);
        counts[colour] += cells.weight * (cells.sizes == nullptr ? 1 : int64_t{cells.sizes[i]});
      }
    }
    std::sort(result.begin(), result.end());
    for (auto& [colour, tuples] : result) std::swap(tuples, counts[colour]);
    return result;
  }

  const WlOptions& options_;
  Plan plan_;
  std::vector<std::vector<uint32_t>> atoms_;
  std::vector<int64_t> first_cells_;  // of each graph
  int64_t cells_ = 0;
  std::vector<Key> keys_;
  std::vector<uint32_t> colours_;            // of each cell
  std::vector<std::vector<uint32_t>> rows_;  // of compressed graphs
  WlRefinement result_;
};

}  // namespace
}  // namespace wl

WlRefinement wl_refine(const std::vector<const Graph*>& graphs, const WlOptions& options) {
  if (options.order < 1 || options.order > kMaxOrder) {
    throw std::invalid_argument(
        fmt::format("wl_refine: order {}, wanted 1..{}", options.order, kMaxOrder));
  }
  return wl::Refiner(graphs, options).run();
}

}  // namespace floydnet
