#include "tasks/tsp/dataset/training_set.h"

#include <gtest/gtest.h>

#include "base/test_temporary.h"
#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

TEST(TspTrainingSet, RelabellingKeepsTheTourItsLength) {
  const SolvedInstance solved = solved_random(Kind::kExplicit, 9, 5, 2);
  const Length optimum = tour_length(solved.instance, solved.tour);
  EXPECT_EQ(optimum, solve_exact(solved.instance, {}).length);
  bool any_differs = false;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const SolvedInstance renamed = relabelled(solved, seed);
    EXPECT_NO_THROW(check_tour(renamed.tour, 9));
    EXPECT_EQ(tour_length(renamed.instance, renamed.tour), optimum);
    any_differs |= renamed.tour != solved.tour;
    EXPECT_EQ(relabelled(solved, seed).tour, renamed.tour);
  }
  EXPECT_TRUE(any_differs);
}

TEST(TspTrainingSet, ReadsTheSizesThatAreWanted) {
  const TemporaryFolder folder;
  SolvedSet set;
  set.cities = 6;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Problem problem = random_problem(Kind::kExplicit, 6, 1, i);
    const ExactResult solved = solve_exact(make_instance(problem), {});
    set.append(problem, solved.tour);
    set.optima.push_back(solved.length);
    set.baselines.push_back(solved.length);
    set.unique.push_back(Uniqueness::kUnknown);
    set.attempts.push_back(static_cast<std::int64_t>(i));
  }
  set.tried = 3;
  write_solved_set(folder.file("006.npz"), set);
  const StoredInstances stored(folder.path(), Kind::kExplicit, {5, 6});
  ASSERT_EQ(stored.count(), 3);
  EXPECT_EQ(tour_length(stored.at(2).instance, stored.at(2).tour), set.optima[2]);
  EXPECT_THROW(StoredInstances(folder.path(), Kind::kExplicit, {7}), InputError);
  EXPECT_THROW(StoredInstances(folder.path(), Kind::kEuclidean, {6}), InputError);
  EXPECT_THROW(StoredInstances(folder.file("absent"), Kind::kExplicit, {6}), InputError);
}

}  // namespace
}  // namespace floydnet::tsp
