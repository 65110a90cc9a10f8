#include "tasks/tsp/dataset/training_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/draws.h"
#include "floydnet/error.h"

namespace floydnet::tsp {

SolvedInstance relabelled(const SolvedInstance& solved, std::uint64_t seed) {
  const int n = solved.instance.cities();
  std::vector<int> name(static_cast<std::size_t>(n));
  std::iota(name.begin(), name.end(), 0);
  Draws draws({seed});
  for (int i = n - 1; i > 0; --i) {
    std::swap(name[i], name[draws.below(static_cast<std::uint64_t>(i) + 1)]);
  }
  std::vector<std::int32_t> weights(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      weights[static_cast<std::size_t>(name[i]) * n + name[j]] = solved.instance.row(i)[j];
    }
  }
  SolvedInstance renamed = {Instance(solved.instance.name(), n, std::move(weights)), {}};
  for (const int city : solved.tour) renamed.tour.push_back(name[city]);
  return renamed;
}

SolvedInstance solved_random(Kind kind, int cities, std::uint64_t seed, std::uint64_t index) {
  SolvedInstance solved = {make_instance(random_problem(kind, cities, seed, index)), {}};
  solved.tour = solve_exact(solved.instance, {}).tour;
  return solved;
}

StoredInstances::StoredInstances(const std::string& folder, Kind kind,
                                 const std::vector<std::int64_t>& sizes) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".npz") files.push_back(entry.path().string());
  }
  if (error) throw InputError::in(folder, error.message());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    SolvedSet set = read_solved_set(file);
    if (std::find(sizes.begin(), sizes.end(), set.cities) == sizes.end()) continue;
    if (set.kind != kind) {
      throw InputError::in(
          file, fmt::format("has {} instances, wanted {}", name_of(set.kind), name_of(kind)));
    }
    for (std::size_t i = 0; i < set.count(); ++i) places_.push_back({sets_.size(), i});
    sets_.push_back(std::move(set));
  }
  if (places_.empty()) throw InputError::in(folder, "has no instances of the sizes wanted");
}

SolvedInstance StoredInstances::at(std::size_t place) const {
  const auto& [set, index] = places_.at(place);
  const Problem problem = sets_[set].problem(index, "stored");
  return {make_instance(problem), problem.reference.value_or(Tour())};
}

}  // namespace floydnet::tsp
