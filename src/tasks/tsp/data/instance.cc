#include "tasks/tsp/data/instance.h"

#include <fmt/format.h>

#include "floydnet/error.h"

namespace floydnet::tsp {

Instance::Instance(std::string name, int cities, std::vector<std::int32_t> weights)
    : name_(std::move(name)), cities_(cities), weights_(std::move(weights)) {
  if (cities < 1 || cities > kMaxCities) {
    throw InputError(fmt::format("{}: {} cities; there may be 1 to {}", name_, cities, kMaxCities));
  }
  const auto n = static_cast<std::size_t>(cities);
  if (weights_.size() != n * n) {
    throw InputError(
        fmt::format("{}: {} weights; {} cities need {}", name_, weights_.size(), cities, n * n));
  }
  for (int i = 0; i < cities; ++i) {
    for (int j = i + 1; j < cities; ++j) {
      if (weight(i, j) != weight(j, i)) {
        throw InputError(fmt::format("{}: asymmetric: from city {} to {} it is {}, back it is {}",
                                     name_, i + 1, j + 1, weight(i, j), weight(j, i)));
      }
      if (weight(i, j) < 0) {
        throw InputError(fmt::format("{}: negative weight {} between cities {} and {}", name_,
                                     weight(i, j), i + 1, j + 1));
      }
    }
  }
}

Length tour_length(const Instance& instance, const Tour& tour) {
  Length length = 0;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    const int next = tour[i + 1 == tour.size() ? 0 : i + 1];
    if (tour[i] != next) length += instance.weight(tour[i], next);
  }
  return length;
}

void check_tour(const Tour& tour, int cities) {
  if (tour.size() != static_cast<std::size_t>(cities)) {
    throw InputError(fmt::format("a tour of {} cities; there are {}", tour.size(), cities));
  }
  std::vector<bool> seen(tour.size());
  for (const int city : tour) {
    if (city < 0 || city >= cities) {
      throw InputError(fmt::format("city {} in the tour; there are {}", city + 1, cities));
    }
    if (seen[static_cast<std::size_t>(city)]) {
      throw InputError(fmt::format("city {} is in the tour twice", city + 1));
    }
    seen[static_cast<std::size_t>(city)] = true;
  }
}

}  // namespace floydnet::tsp
