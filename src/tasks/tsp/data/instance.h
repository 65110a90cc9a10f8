// A symmetric travelling salesman problem with integer weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace floydnet::tsp {

using Length = std::int64_t;
/// Each city once; the way back to the first is implied.
using Tour = std::vector<int>;

struct Point {
  double x = 0;
  double y = 0;
};

/// More cities would need more than 400 MB for their weights.
inline constexpr int kMaxCities = 10000;

class Instance {
 public:
  /// Row by row; throws InputError unless it is a square, symmetric matrix of weights in [0, 2^31).
  /// The diagonal does not matter.
  Instance(std::string name, int cities, std::vector<std::int32_t> weights);

  const std::string& name() const { return name_; }
  int cities() const { return cities_; }
  Length weight(int i, int j) const { return weights_[index(i, j)]; }
  /// [cities, cities]
  const std::int32_t* row(int i) const { return weights_.data() + index(i, 0); }

  /// Where the cities are; empty if only weights are known.
  std::vector<Point> points;
  /// Weights are distances times this, rounded; 1 where distances are integers.
  double scale = 1;

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(cities_) +
           static_cast<std::size_t>(j);
  }

  std::string name_;
  int cities_;
  std::vector<std::int32_t> weights_;
};

Length tour_length(const Instance& instance, const Tour& tour);

/// Throws InputError that names what is wrong unless the tour visits each city once.
void check_tour(const Tour& tour, int cities);

}  // namespace floydnet::tsp
