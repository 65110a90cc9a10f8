#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"
#include "tasks/tsp/dataset/maker.h"

namespace floydnet::tsp {
namespace {

using testing::HasSubstr;

const std::atomic<bool> kGoOn{false};

DatasetOptions small_options(Filter filter = Filter::kNone) {
  DatasetOptions options;
  options.attempt.filter = filter;
  options.attempt.kind = Kind::kEuclidean;
  options.per_size = 12;
  options.max_attempts = 200;
  return options;
}

std::string made(const DatasetOptions& options, int threads, int cities = 7) {
  const TemporaryFolder folder;
  const DatasetMaker maker(folder.path(), options);
  EXPECT_TRUE(maker.make(cities, threads, kGoOn, {}));
  return read_file(maker.set_path(cities));
}

SolvedSet made_set(const DatasetOptions& options, int cities = 7) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("a.npz"), made(options, 1, cities));
  return read_solved_set(folder.file("a.npz"));
}

TEST(Dataset, HoldsSolvedInstances) {
  const SolvedSet set = made_set(small_options());
  ASSERT_EQ(set.count(), 12U);
  EXPECT_EQ(set.tried, 12);
  EXPECT_EQ(set.unsolved, 0);
  for (std::size_t i = 0; i < set.count(); ++i) {
    const Problem problem = set.problem(i, "a");
    const Problem drawn = random_problem(Kind::kEuclidean, 7, 1, i);
    EXPECT_EQ(problem.points[3].x, drawn.points[3].x);
    const Instance instance = make_instance(problem);
    EXPECT_EQ(solve_exact(instance, {}).length, set.optima[i]);
    EXPECT_GE(set.baselines[i], set.optima[i]);
    EXPECT_EQ(check_unique(instance, *problem.reference, {}).uniqueness, set.unique[i]);
  }
}

TEST(Dataset, IsTheSameForAnyNumberOfThreads) {
  for (const Filter filter : {Filter::kNone, Filter::kUnique}) {
    EXPECT_EQ(made(small_options(filter), 1), made(small_options(filter), 3));
  }
}

/// The stop comes after each number of attempts in turn, with a line that is cut off at times.
TEST(Dataset, ResumesToTheSameSet) {
  const DatasetOptions options = small_options(Filter::kUnique);
  const std::string whole = made(options, 1);
  const TemporaryFolder folder;
  const DatasetMaker maker(folder.path(), options);
  bool done = false;
  int rounds = 0;
  for (; !done; ++rounds) {
    std::atomic<bool> stop{false};
    int left = 3;
    done = maker.make(7, 2, stop, [&](std::int64_t) { stop = --left == 0; });
    if (!done && rounds % 2 == 0) {
      std::ofstream(folder.file("007.jsonl"), std::ios::app) << R"({"attempt": 5, "so)";
    }
  }
  EXPECT_GT(rounds, 2);
  EXPECT_EQ(read_file(maker.set_path(7)), whole);
  EXPECT_FALSE(std::filesystem::exists(folder.file("007.jsonl")));
}

/// A later attempt that was done before an earlier one must not take its place.
TEST(Dataset, GapsOfAnInterruptionAreFilled) {
  DatasetOptions options = small_options();
  options.per_size = 3;
  const TemporaryFolder folder;
  const DatasetMaker maker(folder.path(), options);
  {
    std::ofstream lines(folder.file("007.jsonl"));
    for (const std::int64_t index : {4, 3, 1}) {
      lines << make_attempt(options.attempt, 7, index, kGoOn).to_json() << "\n";
    }
  }
  EXPECT_TRUE(maker.make(7, 1, kGoOn, {}));
  EXPECT_EQ(read_file(maker.set_path(7)), made(options, 1));
}

TEST(Dataset, PartsShareTheWork) {
  DatasetOptions options = small_options(Filter::kUnique);
  options.shards = 5;
  std::set<std::int64_t> attempts;
  std::size_t instances = 0;
  for (options.shard = 1; options.shard <= 5; ++options.shard) {
    const SolvedSet set = made_set(options);
    EXPECT_EQ(set.count(), options.shard <= 2 ? 3U : 2U);
    instances += set.count();
    attempts.insert(set.attempts.begin(), set.attempts.end());
    for (const std::int64_t attempt : set.attempts) EXPECT_EQ(attempt % 5, options.shard - 1);
  }
  EXPECT_EQ(instances, 12U);
  EXPECT_EQ(attempts.size(), 12U);
}

/// All unique optima survive a perturbation that only breaks ties.
TEST(Dataset, PerturbationKeepsAllThatAreUnique) {
  DatasetOptions options = small_options(Filter::kPerturb);
  options.attempt.kind = Kind::kExplicit;
  options.per_size = options.max_attempts = 60;
  const SolvedSet perturb = made_set(options, 8);
  options.attempt.filter = Filter::kUnique;
  const SolvedSet unique = made_set(options, 8);
  const std::set<std::int64_t> kept(perturb.attempts.begin(), perturb.attempts.end());
  for (const std::int64_t attempt : unique.attempts) EXPECT_EQ(kept.count(attempt), 1U);
  for (const Uniqueness uniqueness : unique.unique) EXPECT_EQ(uniqueness, Uniqueness::kUnique);
  EXPECT_EQ(unique.tried, 60);
  EXPECT_LT(unique.count(), 60U);
  EXPECT_EQ(std::count(perturb.unique.begin(), perturb.unique.end(), Uniqueness::kUnique),
            static_cast<std::ptrdiff_t>(unique.count()));
}

TEST(Dataset, TheCapEndsTheSearch) {
  DatasetOptions options = small_options(Filter::kUnique);
  options.max_attempts = 5;
  const SolvedSet set = made_set(options);
  EXPECT_EQ(set.tried, 5);
  EXPECT_LT(set.count(), 6U);
}

TEST(Dataset, OtherOptionsNeedAnotherFolder) {
  const TemporaryFolder folder;
  DatasetOptions options = small_options();
  const DatasetMaker maker(folder.path(), options);
  options.shard = options.shards = 2;  // parts may share it
  const DatasetMaker part(folder.path(), options);
  EXPECT_NE(part.set_path(7), maker.set_path(7));
  options.attempt.seed = 2;
  EXPECT_THAT(refusal([&] { DatasetMaker(folder.path(), options); }),
              HasSubstr("holds results with seed = 1, not 2"));
}

TEST(Dataset, DamagedLinesAreNamed) {
  const TemporaryFolder folder;
  const DatasetMaker maker(folder.path(), small_options());
  for (const char* line : {"x", "{}", R"({"attempt": "a", "solved": true, "kept": false})",
                           R"({"attempt": 0, "solved": true, "kept": true, "optimum": 1,
                           "lk_length": 1, "unique": 0, "tour": [0, 0, 1, 2, 3, 4, 5]})"}) {
    std::string text = line;
    std::replace(text.begin(), text.end(), '\n', ' ');
    write_file_atomically(folder.file("007.jsonl"), text + "\n");
    EXPECT_THAT(refusal([&] { maker.make(7, 1, kGoOn, {}); }), HasSubstr("007.jsonl: line 1: not"));
  }
}

TEST(Dataset, DamagedSetsAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.npz");
  write_file_atomically(path, made(small_options(), 1));
  const NpzArchive good = read_npz(path);
  const auto message = [&](const std::string& name, const NpyArray& array) {
    NpzArchive changed = good;
    changed.at(name) = array;
    write_npz(path, changed);
    return refusal([&] { read_solved_set(path); });
  };
  std::vector<std::int64_t> optima = good.at("optimum").as<std::int64_t>();
  ++optima[4];
  EXPECT_THAT(message("optimum", NpyArray::from(optima, {12})),
              HasSubstr("instance 4: the tour's length is"));
  EXPECT_THAT(message("tour", NpyArray::from<std::int16_t>(std::vector<std::int16_t>(84), {12, 7})),
              HasSubstr("city 1 is in the tour twice"));
  EXPECT_THAT(message("points", NpyArray::from<std::uint8_t>({1, 2}, {1, 1, 2})),
              HasSubstr("'points' has shape [1, 1, 2]; wanted [12, 7, 2]"));
  NpzArchive less = good;
  less.erase("unique");
  write_npz(path, less);
  EXPECT_THAT(refusal([&] { read_solved_set(path); }), HasSubstr("no array 'unique'"));
}

TEST(SameCycle, StartAndDirectionDoNotMatter) {
  EXPECT_TRUE(same_cycle({0, 1, 2, 3}, {2, 3, 0, 1}));
  EXPECT_TRUE(same_cycle({0, 1, 2, 3}, {2, 1, 0, 3}));
  EXPECT_FALSE(same_cycle({0, 1, 2, 3}, {0, 2, 1, 3}));
  EXPECT_TRUE(same_cycle({0, 1}, {1, 0}));
  EXPECT_TRUE(same_cycle({0}, {0}));
}

}  // namespace
}  // namespace floydnet::tsp
