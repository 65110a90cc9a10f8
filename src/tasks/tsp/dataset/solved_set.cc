#include "tasks/tsp/dataset/solved_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/shape.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "graph/npz_stream.h"

namespace floydnet::tsp {
namespace {

/// 1 unique, 0 not, -1 unknown.
std::int8_t code_of(Uniqueness uniqueness) {
  if (uniqueness == Uniqueness::kUnknown) return -1;
  return uniqueness == Uniqueness::kUnique ? 1 : 0;
}
Uniqueness uniqueness_of(std::int8_t code) {
  if (code < 0) return Uniqueness::kUnknown;
  return code == 0 ? Uniqueness::kNotUnique : Uniqueness::kUnique;
}

template <typename T>
void write_array(NpzStream& file, const std::string& name, const std::vector<T>& values,
                 const std::vector<int64_t>& shape) {
  const char kind = std::is_signed_v<T> ? 'i' : 'u';
  file.begin(name, kind, sizeof(T), shape);
  file.append({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

class SetReader {
 public:
  explicit SetReader(const std::string& path) : path_(path), archive_(read_npz(path)) {}

  SolvedSet read() {
    SolvedSet set;
    set.kind = archive_.count("points") != 0 ? Kind::kEuclidean : Kind::kExplicit;
    const NpyArray& tours = find("tour");
    if (tours.shape.size() != 2 || tours.shape[1] < 1 || tours.shape[1] > kMaxCities) {
      fail(fmt::format("'tour' has shape {}; wanted [count, cities]", shape_text(tours.shape)));
    }
    const int64_t count = tours.shape[0], cities = tours.shape[1];
    set.cities = static_cast<int>(cities);
    set.tours = values<std::int16_t>("tour", {count, cities});
    set.numbers = set.kind == Kind::kEuclidean
                      ? values<std::uint8_t>("points", {count, cities, 2})
                      : values<std::uint8_t>("weights", {count, cities, cities});
    set.optima = values<std::int64_t>("optimum", {count});
    set.baselines = values<std::int64_t>("lk_length", {count});
    set.attempts = values<std::int64_t>("attempt", {count});
    for (const std::int8_t code : values<std::int8_t>("unique", {count})) {
      set.unique.push_back(uniqueness_of(code));
    }
    set.tried = values<std::int64_t>("tried", {1})[0];
    set.unsolved = values<std::int64_t>("unsolved", {1})[0];
    check_tours(set);
    return set;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw InputError::in(path_, problem); }

  const NpyArray& find(const std::string& name) const {
    const auto found = archive_.find(name);
    if (found == archive_.end()) {
      fail(fmt::format("no array '{}'; wanted a file of 'floydnet data tsp'", name));
    }
    return found->second;
  }

  template <typename T>
  std::vector<T> values(const std::string& name, const std::vector<int64_t>& shape) const {
    const NpyArray& array = find(name);
    if (array.shape != shape) {
      fail(fmt::format("'{}' has shape {}; wanted {}", name, shape_text(array.shape),
                       shape_text(shape)));
    }
    try {
      return array.as<T>();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void check_tours(const SolvedSet& set) const {
    for (std::size_t i = 0; i < set.count(); ++i) {
      const Length length = length_of(set.problem(i, "weights"), i);
      if (length != set.optima[i]) {
        fail(fmt::format("instance {}: the tour's length is {}, not {}", i, length, set.optima[i]));
      }
    }
  }

  Length length_of(const Problem& problem, std::size_t place) const {
    try {
      check_tour(*problem.reference, problem.cities());
      return tour_length(make_instance(problem), *problem.reference);
    } catch (const InputError& error) {
      fail(fmt::format("instance {}: {}", place, error.what()));
    }
  }

  std::string path_;
  NpzArchive archive_;
};

}  // namespace

Problem SolvedSet::problem(std::size_t index, const std::string& name) const {
  const auto n = static_cast<std::size_t>(cities);
  Problem problem;
  problem.name = name;
  if (kind == Kind::kExplicit) {
    const auto* matrix = numbers.data() + index * n * n;
    problem.weights.assign(matrix, matrix + n * n);
  } else {
    problem.metric = Metric::kEuc2d;
    const auto* xy = numbers.data() + index * n * 2;
    for (std::size_t i = 0; i < n; ++i) {
      problem.points.push_back(
          {static_cast<double>(xy[2 * i]), static_cast<double>(xy[2 * i + 1])});
    }
  }
  const auto* tour = tours.data() + index * n;
  problem.reference = Tour(tour, tour + n);
  return problem;
}

void SolvedSet::append(const Problem& problem, const Tour& tour) {
  for (const std::int32_t weight : problem.weights) {
    numbers.push_back(static_cast<std::uint8_t>(weight));
  }
  for (const Point& point : problem.points) {
    numbers.push_back(static_cast<std::uint8_t>(point.x));
    numbers.push_back(static_cast<std::uint8_t>(point.y));
  }
  for (const int city : tour) tours.push_back(static_cast<std::int16_t>(city));
}

void write_solved_set(const std::string& path, const SolvedSet& set) {
  const auto count = static_cast<int64_t>(set.count());
  const int64_t cities = set.cities;
  std::vector<std::int8_t> unique;
  for (const Uniqueness uniqueness : set.unique) unique.push_back(code_of(uniqueness));
  NpzStream file(path);
  if (set.kind == Kind::kExplicit) {
    write_array(file, "weights", set.numbers, {count, cities, cities});
  } else {
    write_array(file, "points", set.numbers, {count, cities, 2});
  }
  write_array(file, "tour", set.tours, {count, cities});
  write_array(file, "optimum", set.optima, {count});
  write_array(file, "lk_length", set.baselines, {count});
  write_array(file, "unique", unique, {count});
  write_array(file, "attempt", set.attempts, {count});
  write_array(file, "tried", std::vector<std::int64_t>{set.tried}, {1});
  write_array(file, "unsolved", std::vector<std::int64_t>{set.unsolved}, {1});
  file.finish();
}

SolvedSet read_solved_set(const std::string& path) { return SetReader(path).read(); }

std::vector<Problem> problems_of(const SolvedSet& set, const std::string& name) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < set.count(); ++i) {
    problems.push_back(set.problem(i, fmt::format("{}-{}", name, i + 1)));
  }
  return problems;
}

}  // namespace floydnet::tsp
