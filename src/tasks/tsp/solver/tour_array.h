// A tour under change: reversing a path costs at most half its cities.
#pragma once

#include <utility>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

class TourArray {
 public:
  explicit TourArray(const Tour& tour) : order_(tour), place_(tour.size()) {
    for (int i = 0; i < size(); ++i) place_[order_[i]] = i;
  }

  int size() const { return static_cast<int>(order_.size()); }
  const Tour& tour() const { return order_; }
  int next(int city) const { return backward_ ? before(city) : after(city); }
  int previous(int city) const { return backward_ ? after(city) : before(city); }
  /// How many steps lead from one city to the other.
  int distance(int from, int to) const {
    const int steps = backward_ ? place_[from] - place_[to] : place_[to] - place_[from];
    return steps < 0 ? steps + size() : steps;
  }
  /// Whether `city` is on the path from `first` to `last`.
  bool between(int first, int city, int last) const {
    return distance(first, city) <= distance(first, last);
  }
  void turn() { backward_ = !backward_; }
  /// The path from `first` to `last` becomes that from `last` to `first`.
  void reverse(int first, int last) {
    int i = place_[backward_ ? last : first];
    int j = place_[backward_ ? first : last];
    int cities = j - i + 1;
    if (cities <= 0) cities += size();
    if (2 * cities > size()) {  // the rest, seen from the other side
      std::swap(i, j);
      i = i + 1 == size() ? 0 : i + 1;
      j = j == 0 ? size() - 1 : j - 1;
      cities = size() - cities;
      turn();
    }
    for (int swaps = cities / 2; swaps > 0; --swaps) {
      const int a = order_[i];
      const int b = order_[j];
      order_[i] = b;
      place_[b] = i;
      order_[j] = a;
      place_[a] = j;
      if (++i == size()) i = 0;
      if (--j < 0) j = size() - 1;
    }
  }

 private:
  int after(int city) const {
    const int i = place_[city] + 1;
    return order_[i == size() ? 0 : i];
  }
  int before(int city) const {
    const int i = place_[city];
    return order_[i == 0 ? size() - 1 : i - 1];
  }

  Tour order_;
  std::vector<int> place_;
  bool backward_ = false;
};

}  // namespace floydnet::tsp
