#include "tasks/tsp/solver/neighbours.h"

#include <algorithm>
#include <array>

namespace floydnet::tsp {
namespace {

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.city < b.city;
}

int possible_count(const Instance& instance, int count) {
  return std::min(count, instance.cities() - 1);
}

std::vector<Neighbour> all_others(const Instance& instance, int city) {
  std::vector<Neighbour> others;
  others.reserve(static_cast<std::size_t>(instance.cities()));
  const std::int32_t* row = instance.row(city);
  for (int other = 0; other < instance.cities(); ++other) {
    if (other != city) others.push_back({other, row[other]});
  }
  return others;
}

/// The first `count` are the nearest, in order.
void sort_nearest(std::vector<Neighbour>& others, int count) {
  const auto middle =
      others.begin() + std::min<std::ptrdiff_t>(count, others.end() - others.begin());
  std::nth_element(others.begin(), middle, others.end(), nearer);
  std::sort(others.begin(), middle, nearer);
}

int quadrant(const Point& from, const Point& to) {
  return (to.x >= from.x ? 1 : 0) + (to.y >= from.y ? 2 : 0);
}

/// Moves the first ones of each quadrant to the front of a sorted list.
void prefer_quadrants(const std::vector<Point>& points, int city, int each,
                      std::vector<Neighbour>& sorted) {
  std::array<int, 4> taken{};
  std::stable_partition(sorted.begin(), sorted.end(), [&](const Neighbour& other) {
    return ++taken[quadrant(points[city], points[other.city])] <= each;
  });
}

}  // namespace

Neighbours nearest_neighbours(const Instance& instance, int count) {
  Neighbours result(instance.cities(), possible_count(instance, count));
  for (int city = 0; city < instance.cities(); ++city) {
    std::vector<Neighbour> others = all_others(instance, city);
    sort_nearest(others, result.count());
    std::copy_n(others.begin(), result.count(), result.begin(city));
  }
  return result;
}

Neighbours candidate_neighbours(const Instance& instance, int count) {
  if (instance.points.empty()) return nearest_neighbours(instance, count);
  Neighbours result(instance.cities(), possible_count(instance, count));
  for (int city = 0; city < instance.cities(); ++city) {
    std::vector<Neighbour> others = all_others(instance, city);
    const int looked_at = std::min(10 * count, instance.cities() - 1);
    sort_nearest(others, looked_at);
    others.resize(static_cast<std::size_t>(looked_at));
    prefer_quadrants(instance.points, city, count / 5, others);
    std::sort(others.begin(), others.begin() + result.count(), nearer);
    std::copy_n(others.begin(), result.count(), result.begin(city));
  }
  return result;
}

}  // namespace floydnet::tsp
