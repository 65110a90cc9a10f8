#include "tasks/graphs/page/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/draws.h"

namespace floydnet::graphs {
namespace {

using Neighbours = std::vector<std::vector<size_t>>;

constexpr int kSweeps = 60;
constexpr double kGap = 1;  // between parts, in lengths of an edge

/// From `start`; -1 where there is no path. `reached` gets the nodes in the order of their
/// distance.
std::vector<int> distances_from(size_t start, const Neighbours& neighbours,
                                std::vector<size_t>* reached) {
  std::vector<int> distance(neighbours.size(), -1);
  distance[start] = 0;
  *reached = {start};
  for (size_t next = 0; next < reached->size(); ++next) {
    const size_t u = (*reached)[next];
    for (const size_t v : neighbours[u]) {
      if (distance[v] >= 0) continue;
      distance[v] = distance[u] + 1;
      reached->push_back(v);
    }
  }
  return distance;
}

/// The layout of one connected part, by the distances d[i * n + j] of its n nodes.
class PartLayout {
 public:
  PartLayout(size_t n, std::vector<int> d) : n_(n), d_(std::move(d)), places_(n) {}

  std::vector<Place> find() {
    start();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (size_t i = 0; i < n_; ++i) relax(i);
    }
    return std::move(places_);
  }

 private:
  /// Between two nodes far from each other, and two more far from these; off by a little, so that
  /// no two nodes have the same place.
  void start() {
    const size_t left = farthest_from({0}), right = farthest_from({left});
    const size_t top = farthest_from({left, right}), bottom = farthest_from({top});
    Draws draws({n_});
    const auto between = [&](size_t a, size_t b, size_t i) {
      return (d_[a * n_ + i] - d_[b * n_ + i]) / 2.0 +
             static_cast<double>(draws.below(1001)) / 5000;
    };
    for (size_t i = 0; i < n_; ++i) {
      const double x = between(left, right, i);
      places_[i] = {x, between(top, bottom, i)};
    }
  }

  size_t farthest_from(std::initializer_list<size_t> nodes) const {
    size_t best = 0;
    int best_distance = -1;
    for (size_t i = 0; i < n_; ++i) {
      int nearest = std::numeric_limits<int>::max();
      for (const size_t node : nodes) nearest = std::min(nearest, d_[node * n_ + i]);
      if (nearest <= best_distance) continue;
      best = i;
      best_distance = nearest;
    }
    return best;
  }

  /// Moves a node to where the stress, the sum over pairs of (|p_i - p_j| / d_ij - 1)^2, is less.
  void relax(size_t i) {
    Place sum;
    double weights = 0;
    for (size_t j = 0; j < n_; ++j) {
      if (j == i) continue;
      const double dx = places_[i].x - places_[j].x, dy = places_[i].y - places_[j].y;
      const double d = d_[i * n_ + j], weight = 1 / (d * d);
      const double stretch = d / std::max(std::hypot(dx, dy), 1e-9);
      sum.x += weight * (places_[j].x + stretch * dx);
      sum.y += weight * (places_[j].y + stretch * dy);
      weights += weight;
    }
    if (weights > 0) places_[i] = {sum.x / weights, sum.y / weights};
  }

  size_t n_;
  std::vector<int> d_;
  std::vector<Place> places_;
};

struct Part {
  std::vector<size_t> nodes;
  std::vector<Place> places;  // from (0, 0) on
  Place size;
};

Part laid_out(const std::vector<size_t>& nodes, const Neighbours& neighbours) {
  std::vector<int> d;
  std::vector<size_t> ignored;
  for (const size_t u : nodes) {
    const std::vector<int> from_u = distances_from(u, neighbours, &ignored);
    for (const size_t v : nodes) d.push_back(from_u[v]);
  }
  Part part = {nodes, PartLayout(nodes.size(), std::move(d)).find(), {}};
  Place low = part.places[0], high = low;
  for (const Place& place : part.places) {
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  for (Place& place : part.places) place = {place.x - low.x, place.y - low.y};
  part.size = {high.x - low.x, high.y - low.y};
  return part;
}

/// In rows, the highest parts first.
std::vector<Place> side_by_side(std::vector<Part> parts, size_t nodes) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.size.y > b.size.y; });
  double area = 0, widest = 0;
  for (const Part& part : parts) {
    area += (part.size.x + kGap) * (part.size.y + kGap);
    widest = std::max(widest, part.size.x + kGap);
  }
  const double width = std::max(widest, 1.2 * std::sqrt(area));
  std::vector<Place> places(nodes);
  Place corner;
  double row_height = 0;
  for (const Part& part : parts) {
    if (corner.x > 0 && corner.x + part.size.x + kGap > width + 1e-6) {
      corner = {0, corner.y + row_height};
      row_height = 0;
    }
    for (size_t i = 0; i < part.nodes.size(); ++i) {
      places[part.nodes[i]] = {corner.x + part.places[i].x, corner.y + part.places[i].y};
    }
    corner.x += part.size.x + kGap;
    row_height = std::max(row_height, part.size.y + kGap);
  }
  return places;
}

}  // namespace

std::vector<Place> graph_layout(int64_t nodes, const std::vector<Graph::Edge>& edges) {
  Neighbours neighbours(static_cast<size_t>(nodes));
  for (const auto& [u, v] : edges) {
    neighbours[static_cast<size_t>(u)].push_back(static_cast<size_t>(v));
    neighbours[static_cast<size_t>(v)].push_back(static_cast<size_t>(u));
  }
  std::vector<Part> parts;
  std::vector<bool> known(neighbours.size(), false);
  for (size_t u = 0; u < neighbours.size(); ++u) {
    if (known[u]) continue;
    std::vector<size_t> reached;
    distances_from(u, neighbours, &reached);
    for (const size_t v : reached) known[v] = true;
    parts.push_back(laid_out(reached, neighbours));
  }
  return side_by_side(std::move(parts), neighbours.size());
}

}  // namespace floydnet::graphs
