#include "tasks/tsp/edges/decode.h"

#include <algorithm>

#include "tasks/tsp/edges/features.h"
#include "tasks/tsp/solver/greedy.h"

namespace floydnet::tsp {
namespace {

constexpr float kThreshold = 0.5F;

/// The cycle through city 0, where every city has two neighbours; a last city that equals the one
/// before is where there are two cities only.
Tour first_cycle(const std::vector<std::vector<int>>& neighbours) {
  Tour tour;
  int before = -1, at = 0;
  do {
    tour.push_back(at);
    const std::vector<int>& next = neighbours[at];
    const int to = next[0] != before ? next[0] : next[1];
    before = at;
    at = to;
  } while (at != 0 && tour.size() <= neighbours.size());
  return tour;
}

}  // namespace

const char* name_of(Decoded decoded) {
  switch (decoded) {
    case Decoded::kTour:
      return "tour";
    case Decoded::kIncomplete:
      return "incomplete";
    case Decoded::kSeveralCycles:
      break;
  }
  return "several cycles";
}

StrictDecoding decode_strictly(const float* scores, int cities, const Tour& reference) {
  const auto n = static_cast<std::size_t>(cities);
  std::vector<int> place(n, -1);
  for (std::size_t p = 0; p < reference.size(); ++p) place[reference[p]] = static_cast<int>(p);
  StrictDecoding decoding;
  std::vector<std::vector<int>> neighbours(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!(scores[i * n + j] > kThreshold) && !(scores[j * n + i] > kThreshold)) continue;
      ++decoding.edges;
      neighbours[i].push_back(static_cast<int>(j));
      neighbours[j].push_back(static_cast<int>(i));
      if (reference.empty()) continue;
      const int apart = std::abs(place[i] - place[j]);
      decoding.right += apart == 1 || apart == cities - 1 ? 1 : 0;
    }
  }
  const bool is_complete = std::all_of(neighbours.begin(), neighbours.end(),
                                       [](const auto& of_city) { return of_city.size() == 2; });
  if (!is_complete) return decoding;
  Tour tour = first_cycle(neighbours);
  decoding.kind = tour.size() == n ? Decoded::kTour : Decoded::kSeveralCycles;
  if (decoding.kind == Decoded::kTour) decoding.tour = std::move(tour);
  return decoding;
}

Tour decode_greedily(const Instance& instance, const float* scores) {
  const int n = instance.cities();
  const auto score = [&](const Edge& edge) {
    return scores[static_cast<std::size_t>(edge.u) * n + edge.v] +
           scores[static_cast<std::size_t>(edge.v) * n + edge.u];
  };
  std::vector<Edge> edges;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) edges.push_back({i, j});
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [&](const Edge& a, const Edge& b) { return score(a) > score(b); });
  return tour_of_edges(instance, edges);
}

std::vector<float> nearness_scores(const Instance& instance) {
  std::vector<float> scores = edge_ranks(instance);
  for (float& score : scores) score = -score;
  return scores;
}

double f1_score(const StrictDecoding& decoding, int cities) {
  return 2.0 * static_cast<double>(decoding.right) / static_cast<double>(decoding.edges + cities);
}

}  // namespace floydnet::tsp
