#include "tasks/tsp/solver/greedy.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace floydnet::tsp {
namespace {

/// Disjoint paths through all cities; at first each city is one.
class Paths {
 public:
  explicit Paths(int cities)
      : links_(static_cast<std::size_t>(cities), {-1, -1}),
        other_end_(static_cast<std::size_t>(cities)) {
    std::iota(other_end_.begin(), other_end_.end(), 0);
  }

  bool is_end(int city) const { return links_[city][1] < 0; }
  int other_end(int end) const { return other_end_[end]; }
  bool can_link(int u, int v) const { return is_end(u) && is_end(v) && other_end_[u] != v; }
  void link(int u, int v) {
    const int first = other_end_[u];
    const int last = other_end_[v];
    add_link(u, v);
    add_link(v, u);
    other_end_[first] = last;
    other_end_[last] = first;
  }
  /// The cities of the path from one end on.
  void append_to(Tour& tour, int end) const {
    for (int city = end, before = -1; city >= 0;) {
      tour.push_back(city);
      const auto& [a, b] = links_[city];
      const int next = a == before ? b : a;
      before = city;
      city = next;
    }
  }

 private:
  void add_link(int from, int to) { links_[from][links_[from][0] < 0 ? 0 : 1] = to; }

  std::vector<std::array<int, 2>> links_;
  std::vector<int> other_end_;  // of the path; right for ends only
};

int nearest(const Instance& instance, int city, const std::vector<int>& candidates) {
  const std::int32_t* row = instance.row(city);
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](int a, int b) { return row[a] < row[b]; });
}

Tour join(const Instance& instance, const Paths& paths) {
  std::vector<int> ends;
  for (int city = 0; city < instance.cities(); ++city) {
    if (paths.is_end(city)) ends.push_back(city);
  }
  Tour tour;
  int end = ends.front();
  while (true) {
    paths.append_to(tour, end);
    const int last = paths.other_end(end);
    ends.erase(std::remove_if(ends.begin(), ends.end(),
                              [&](int other) { return other == end || other == last; }),
               ends.end());
    if (ends.empty()) return tour;
    end = nearest(instance, last, ends);
  }
}

}  // namespace

Tour tour_of_edges(const Instance& instance, const std::vector<Edge>& edges) {
  Paths paths(instance.cities());
  for (const auto& [u, v] : edges) {
    if (paths.can_link(u, v)) paths.link(u, v);
  }
  return join(instance, paths);
}

Tour greedy_tour(const Instance& instance, const Neighbours& neighbours) {
  std::vector<Edge> edges;
  for (int u = 0; u < instance.cities(); ++u) {
    for (const Neighbour* v = neighbours.begin(u); v != neighbours.end(u); ++v) {
      edges.push_back({u, v->city});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return instance.weight(a.u, a.v) < instance.weight(b.u, b.v);
  });
  return tour_of_edges(instance, edges);
}

}  // namespace floydnet::tsp
