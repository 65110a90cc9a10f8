#include "tasks/tsp/data/npy_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/draws.h"
#include "base/shape.h"
#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

/// Cities of an array of so many rows of `columns` numbers.
struct Dimensions {
  std::size_t count, cities, columns;
};

Dimensions dimensions_of(const NpyArray& array, const std::string& source) {
  const std::vector<int64_t>& shape = array.shape;
  const bool known = shape.size() == 3 && (shape[2] == 2 || shape[2] == shape[1]);
  if (!known || shape[0] < 1 || shape[1] < 1 || shape[1] > kMaxCities) {
    throw InputError::in(source, fmt::format("shape {}; wanted points [count, N, 2] or weights "
                                             "[count, N, N], N from 1 to {}",
                                             shape_text(shape), kMaxCities));
  }
  return {static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1]),
          static_cast<std::size_t>(shape[2])};
}

/// Elements as T; InputError with the source.
template <typename T>
std::vector<T> values_of(const NpyArray& array, const std::string& source) {
  try {
    return array.as<T>();
  } catch (const InputError& error) {
    throw InputError::in(source, error.what());
  }
}

/// order[c] is the place in the file of city c.
std::vector<int> shuffled_order(std::size_t cities, std::uint64_t seed, std::size_t index) {
  std::vector<int> order(cities);
  std::iota(order.begin(), order.end(), 0);
  Draws({seed, index}).shuffle(order);
  return order;
}

Tour inverse(const std::vector<int>& order) {
  Tour places(order.size());
  for (std::size_t c = 0; c < order.size(); ++c) {
    places[static_cast<std::size_t>(order[c])] = static_cast<int>(c);
  }
  return places;
}

void take_points(const double* xy, const std::vector<int>& order, Problem& problem) {
  for (const int place : order) {
    const double* point = xy + 2 * static_cast<std::ptrdiff_t>(place);
    problem.points.push_back({point[0], point[1]});
  }
}

/// The file's matrix with rows and columns in the new order, checked for symmetry by place there.
void take_weights(const std::int32_t* matrix, const std::vector<int>& order, Problem& problem,
                  const std::string& source) {
  const std::size_t n = order.size();
  problem.weights.resize(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto a = static_cast<std::size_t>(order[i]), b = static_cast<std::size_t>(order[j]);
      const std::int32_t weight = matrix[a * n + b];
      if (a != b && (weight < 0 || weight != matrix[b * n + a])) {
        throw InputError::in(
            source, fmt::format("{}: weight [{}, {}] is {}, [{}, {}] is {}; wanted symmetric "
                                "weights that are not negative",
                                problem.name, a, b, weight, b, a, matrix[b * n + a]));
      }
      problem.weights[i * n + j] = weight;
    }
  }
}

}  // namespace

std::vector<Problem> problems_of_array(const NpyArray& array, std::uint64_t seed,
                                       const std::string& name, const std::string& source) {
  const auto [count, cities, columns] = dimensions_of(array, source);
  std::vector<double> xy;
  std::vector<std::int32_t> matrices;
  Metric metric = Metric::kExplicit;
  if (columns == 2) {
    xy = values_of<double>(array, source);
    const auto is_integer = [](double x) { return x == std::trunc(x); };
    metric = std::all_of(xy.begin(), xy.end(), is_integer) ? Metric::kEuc2d : Metric::kReal;
    if (!std::all_of(xy.begin(), xy.end(), [](double x) { return std::isfinite(x); })) {
      throw InputError::in(source, "some coordinates are not finite");
    }
  } else {
    matrices = values_of<std::int32_t>(array, source);
  }
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<int> order = shuffled_order(cities, seed, k);
    Problem problem;
    problem.name = fmt::format("{}-{}", name, k + 1);
    problem.metric = metric;
    problem.reference = inverse(order);
    if (columns == 2) {
      take_points(xy.data() + k * cities * 2, order, problem);
    } else {
      take_weights(matrices.data() + k * cities * cities, order, problem, source);
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::vector<std::string> npy_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".npy") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace floydnet::tsp
