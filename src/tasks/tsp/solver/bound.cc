#include "tasks/tsp/solver/bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace floydnet::tsp {
namespace {

constexpr Length kMaxMultiplier = Length{1} << 52;

Length saturated(__int128 value) {
  constexpr Length kMax = std::numeric_limits<Length>::max();
  if (value > kMax) return kMax;
  return value < -kMax ? -kMax : static_cast<Length>(value);
}

}  // namespace

Length fixed_point_scale(const Instance& instance) {
  std::int32_t largest = 0;
  for (int u = 0; u < instance.cities(); ++u) {
    largest = std::max(largest,
                       *std::max_element(instance.row(u) + u, instance.row(u) + instance.cities()));
  }
  return Length{1} << (largest < (1 << 27) ? 20 : 14);
}

Length to_fixed_point(double value, Length scale) {
  const double limit = static_cast<double>(kMaxMultiplier);
  return std::llround(std::clamp(value * static_cast<double>(scale), -limit, limit));
}

ReducedCosts::ReducedCosts(const Instance& instance, Length scale, const CutPool& pool,
                           const Duals& duals, const Tour* forbidden)
    : instance_(instance), scale_(scale), potential_(duals.cities), sets_of_(duals.cities.size()) {
  for (const Length pi : duals.cities) constant_ += 2 * pi;
  int number = 0;
  for (const auto& [cut, mu] : duals.cuts) {
    constant_ += static_cast<__int128>(mu) * pool[cut].rhs();
    for (const NodeSet& set : pool[cut].sets) {
      for (const int city : set) {
        potential_[city] += mu;
        sets_of_[city].push_back({number, mu});
      }
      ++number;
    }
  }
  if (forbidden == nullptr || duals.forbidden == 0) return;
  forbidden_ = duals.forbidden;
  constant_ -= static_cast<__int128>(forbidden_) * (instance.cities() - 2);
  next_forbidden_.resize(forbidden->size());
  for (std::size_t i = 0; i < forbidden->size(); ++i) {
    next_forbidden_[(*forbidden)[i]] = (*forbidden)[(i + 1) % forbidden->size()];
  }
}

Length ReducedCosts::common(int u, int v) const {
  Length sum = 0;
  auto a = sets_of_[u].begin();
  auto b = sets_of_[v].begin();
  while (a != sets_of_[u].end() && b != sets_of_[v].end()) {
    if (a->set == b->set) sum += a->multiplier;
    const bool advance_a = a->set <= b->set;
    if (b->set <= a->set) ++b;
    if (advance_a) ++a;
  }
  if (forbidden_ != 0 && (next_forbidden_[u] == v || next_forbidden_[v] == u)) {
    sum += forbidden_ / 2;
  }
  return sum;
}

Length ReducedCosts::bound(const Edges& edges, const std::vector<Decision>& decisions,
                           std::vector<PricedEdge>* negative) const {
  __int128 sum = constant_;
  edges.for_each([&](int u, int v) {
    if (at_least(u, v) >= 0) return;
    const Length cost = (*this)(u, v);
    if (cost >= 0) return;
    sum += cost;
    if (negative != nullptr) negative->push_back({{u, v}, cost});
  });
  for (const auto& [u, v] : edges.fixed) sum += std::max<Length>(0, (*this)(u, v));
  for (const auto& [edge, taken] : decisions) {
    const Length cost = (*this)(edge.u, edge.v);
    sum += taken ? std::max<Length>(0, cost) : -std::min<Length>(0, cost);
  }
  return saturated(sum);
}

}  // namespace floydnet::tsp
