#include "tasks/tsp/solver/tighten.h"

#include <algorithm>

namespace floydnet::tsp {
namespace {

constexpr double kGain = 1e-6;
constexpr int kNoTooth = -1;

/// What the value of a set grows by if a city joins it (or leaves it), of whose edges `inside` go
/// to the others of the set.
double growth(double total, double inside, bool leaves) {
  return leaves ? 2 * inside - total : total - 2 * inside;
}

}  // namespace

CombTightener::CombTightener(const Support& support)
    : arcs_(support), places_(support.nodes.size()), sideways_(support.nodes.size()) {}

bool CombTightener::may_leave(const Place& place) const {
  return place.tooth == kNoTooth || counts_[place.tooth][place.in_handle ? 1 : 0] > 1;
}

double CombTightener::best_move(int city, Place& best) const {
  const Place from = places_[city];
  const auto& arcs = arcs_.of[city];
  const double infinity = std::numeric_limits<double>::infinity();
  const auto is_alike = [&](const SupportArcs::Arc& arc) { return places_[arc.to] == from; };
  // Deep inside or outside of all sets nothing can be gained.
  if (!may_leave(from) || std::all_of(arcs.begin(), arcs.end(), is_alike)) return infinity;
  double to_handle = 0;
  near_.clear();
  near_.push_back({kNoTooth, 0});
  if (from.tooth != kNoTooth) near_.push_back({from.tooth, 0});
  for (const auto& [to, x] : arcs) {
    const Place& other = places_[to];
    if (other.in_handle) to_handle += x;
    if (other.tooth == kNoTooth) continue;
    const auto same = [&](const Near& near) { return near.tooth == other.tooth; };
    const auto at = std::find_if(near_.begin(), near_.end(), same);
    if (at == near_.end()) {
      near_.push_back({other.tooth, x});
    } else {
      at->x += x;
    }
  }
  const double total = arcs_.total[city];
  const double leave = from.tooth == kNoTooth ? 0 : growth(total, near_[1].x, /*leaves=*/true);
  double least = infinity;
  for (const Near& near : near_) {
    const double tooth_growth = near.tooth == from.tooth ? 0
                                : near.tooth == kNoTooth
                                    ? leave
                                    : leave + growth(total, near.x, /*leaves=*/false);
    for (const bool in_handle : {false, true}) {
      const Place to{near.tooth, in_handle};
      if (to == from) continue;
      const double handle_growth =
          in_handle == from.in_handle ? 0 : growth(total, to_handle, from.in_handle);
      if (tooth_growth + handle_growth < least) {
        least = tooth_growth + handle_growth;
        best = to;
      }
    }
  }
  return least;
}

void CombTightener::move(int city, const Place& to) {
  Place& at = places_[city];
  if (at.tooth != kNoTooth) --counts_[at.tooth][at.in_handle ? 1 : 0];
  at = to;
  if (at.tooth != kNoTooth) ++counts_[at.tooth][at.in_handle ? 1 : 0];
}

Cut CombTightener::operator()(const Cut& cut) {
  std::fill(places_.begin(), places_.end(), Place{kNoTooth, false});
  std::fill(sideways_.begin(), sideways_.end(), 0);
  counts_.assign(static_cast<std::size_t>(cut.teeth()), {0, 0});
  for (const int city : cut.sets[0]) places_[city].in_handle = true;
  for (int tooth = 0; tooth < cut.teeth(); ++tooth) {
    for (const int city : cut.sets[tooth + 1]) {
      places_[city].tooth = tooth;
      ++counts_[tooth][places_[city].in_handle ? 1 : 0];
    }
  }
  const int cities = static_cast<int>(places_.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (int city = 0; city < cities; ++city) {
      Place to{};
      const double change = best_move(city, to);
      if (change > kGain || (change > -kGain && sideways_[city]++ > 0)) continue;
      move(city, to);
      moved = true;
    }
  }
  Cut result;
  result.sets.resize(cut.sets.size());
  for (int city = 0; city < cities; ++city) {
    if (places_[city].in_handle) result.sets[0].push_back(city);
    if (places_[city].tooth != kNoTooth) result.sets[places_[city].tooth + 1].push_back(city);
  }
  return result;
}

}  // namespace floydnet::tsp
