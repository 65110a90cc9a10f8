#include "tasks/counting/data/copies.h"

#include <algorithm>
#include <numeric>

#include "tasks/counting/data/pattern.h"

namespace floydnet::counting {
namespace {

/// Whether the images of the first nodes, which keep edges and non-edges, extend to an
/// automorphism.
bool extends(const Graph& graph, std::vector<int32_t>& images) {
  const auto next = static_cast<int32_t>(images.size());
  if (next == graph.nodes()) return true;
  for (int32_t image = 0; image < graph.nodes(); ++image) {
    bool fits = true;
    for (int32_t node = 0; node < next && fits; ++node) {
      fits = images[node] != image &&
             graph.has_edge(node, next) == graph.has_edge(images[node], image);
    }
    if (!fits) continue;
    images.push_back(image);
    const bool found = extends(graph, images);
    images.pop_back();
    if (found) return true;
  }
  return false;
}

/// Whether an automorphism fixes the nodes before `node` and sends that one to `image`.
bool in_orbit(const Graph& graph, int32_t node, int32_t image) {
  std::vector<int32_t> images(static_cast<size_t>(node));
  std::iota(images.begin(), images.end(), 0);
  for (const int32_t fixed : images) {
    if (graph.has_edge(fixed, node) != graph.has_edge(fixed, image)) return false;
  }
  images.push_back(image);
  return extends(graph, images);
}

/// The order of the search: from a node of largest degree along edges.
std::vector<int32_t> search_order(const Graph& pattern) {
  std::vector<int32_t> rest(static_cast<size_t>(pattern.nodes()));
  std::iota(rest.begin(), rest.end(), 0);
  std::vector<int64_t> degrees(rest.size());
  for (const auto& [u, v] : pattern.edges()) {
    ++degrees[u];
    ++degrees[v];
  }
  std::stable_sort(rest.begin(), rest.end(),
                   [&](int32_t u, int32_t v) { return degrees[u] > degrees[v]; });
  return linked_order(pattern, {}, rest);
}

}  // namespace

CopyCounter::CopyCounter(const Graph& pattern) : images_(static_cast<size_t>(pattern.nodes())) {
  const std::vector<int32_t> order = search_order(pattern);
  for (auto& linked : linked_places(pattern, order)) places_.push_back({linked, {}});
  std::vector<int64_t> place_of(order.size());
  for (size_t place = 0; place < order.size(); ++place) {
    place_of[order[place]] = static_cast<int64_t>(place);
  }
  const Graph ordered = pattern.relabeled(place_of);
  edges_ = ordered.edges();
  break_symmetry(ordered);
}

void CopyCounter::break_symmetry(const Graph& ordered) {
  for (int32_t node = 0; node < ordered.nodes(); ++node) {
    int64_t orbit = 1;
    for (int32_t other = node + 1; other < ordered.nodes(); ++other) {
      if (!in_orbit(ordered, node, other)) continue;
      places_[other].smaller.push_back(node);
      ++orbit;
    }
    automorphisms_ *= orbit;
  }
}

int64_t CopyCounter::count(const Target& target, std::vector<int64_t>* nodes,
                           std::vector<int64_t>* pairs) {
  const auto n = static_cast<size_t>(target.nodes());
  nodes_ = nodes;
  pairs_ = pairs;
  if (nodes_ != nullptr) nodes_->assign(n, 0);
  if (pairs_ != nullptr) pairs_->assign(n * n, 0);
  copies_ = 0;
  visit(target, 0);
  return copies_;
}

bool CopyCounter::fits(size_t place, int32_t image) const {
  for (const int32_t smaller : places_[place].smaller) {
    if (images_[smaller] >= image) return false;
  }
  const int32_t* used = images_.data();
  return std::find(used, used + place, image) == used + place;
}

void CopyCounter::visit(const Target& target, size_t place) {
  if (place == places_.size()) return add_copy(target.nodes());
  for_each_candidate(target, places_[place].linked, images_.data(), [&](int32_t image) {
    if (!fits(place, image)) return;
    images_[place] = image;
    visit(target, place + 1);
  });
}

/// One at a time: no number here can outgrow 63 bits in anybody's lifetime.
void CopyCounter::add_copy(int64_t target_nodes) {
  ++copies_;
  if (nodes_ != nullptr) {
    for (const int32_t image : images_) ++(*nodes_)[image];
  }
  if (pairs_ == nullptr) return;
  for (const auto& [u, v] : edges_) {
    ++(*pairs_)[images_[u] * target_nodes + images_[v]];
    ++(*pairs_)[images_[v] * target_nodes + images_[u]];
  }
}

}  // namespace floydnet::counting
