// What the algorithms answer, beside brute force and each other.
#include <algorithm>
#include <cmath>
#include <functional>

#include "tasks/clrs/data/test_samples.h"

namespace floydnet::clrs {
namespace {

constexpr int kProblems = 25;

void for_problems(const Sampler& sampler, int64_t length,
                  const std::function<void(const Problem&)>& check) {
  RandomState random(7);
  SamplerOptions options;
  options.length = length;
  for (int i = 0; i < kProblems; ++i) check(sampler.draw(random, options));
}

TEST(ClrsAnswers, SortsChainTheKeysInOrder) {
  for (const char* name : {"insertion_sort", "bubble_sort", "heapsort", "quicksort"}) {
    for_problems(kSortingSampler, 20, [&](const Problem& problem) {
      const Reals pred = answer(name, problem);
      int heads = 0;
      for (size_t i = 0; i < pred.size(); ++i) {
        const auto before = static_cast<size_t>(pred[i]);
        heads += before == i ? 1 : 0;
        EXPECT_LE(problem.first[before], problem.first[i]) << name;
      }
      EXPECT_EQ(heads, 1) << name;
    });
  }
}

TEST(ClrsAnswers, SearchesFindTheRightElement) {
  for_problems(kSortingSampler, 15, [](const Problem& problem) {
    Reals sorted = problem.first;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(problem.first[place_of_one(answer("minimum", problem))], sorted[0]);
    EXPECT_EQ(problem.first[place_of_one(answer("quickselect", problem))], sorted[7]);
  });
  for_problems(kSearchSampler, 15, [](const Problem& problem) {
    const auto bound = std::lower_bound(problem.first.begin(), problem.first.end(), problem.target);
    const int64_t wanted = std::min<int64_t>(14, bound - problem.first.begin());
    EXPECT_EQ(place_of_one(answer("binary_search", problem)), wanted);
  });
}

TEST(ClrsAnswers, KadaneFindsTheLargestSum) {
  for_problems(kMaxSubarraySampler, 12, [](const Problem& problem) {
    const auto sum = [&](int64_t first, int64_t last) {
      double total = 0;
      for (int64_t i = first; i <= last; ++i) total += problem.first[i];
      return total;
    };
    double best = -2;
    for (int64_t i = 0; i < 12; ++i) {
      for (int64_t j = i; j < 12; ++j) best = std::max(best, sum(i, j));
    }
    const int64_t start = place_of_one(answer("find_maximum_subarray_kadane", problem, "start"));
    const int64_t end = place_of_one(answer("find_maximum_subarray_kadane", problem, "end"));
    EXPECT_NEAR(sum(start, end), best, 1e-12);
  });
}

TEST(ClrsAnswers, MatrixChainsAreCheapest) {
  for_problems(kSortingSampler, 9, [](const Problem& problem) {
    const Reals& p = problem.first;
    const Reals split = answer("matrix_chain_order", problem);
    const std::function<double(int, int)> cost_as_split = [&](int i, int j) {
      if (i == j) return 0.0;
      const int k = static_cast<int>(split[i * 9 + j]);
      return cost_as_split(i, k) + cost_as_split(k + 1, j) + p[i - 1] * p[k] * p[j];
    };
    const std::function<double(int, int)> least_cost = [&](int i, int j) {
      double least = i == j ? 0.0 : 1e9;
      for (int k = i; k < j; ++k) {
        least = std::min(least, least_cost(i, k) + least_cost(k + 1, j) + p[i - 1] * p[k] * p[j]);
      }
      return least;
    };
    EXPECT_NEAR(cost_as_split(1, 8), least_cost(1, 8), 1e-12);
  });
}

TEST(ClrsAnswers, SearchTreesAreCheapest) {
  for_problems(kOptimalBstSampler, 7, [](const Problem& problem) {
    const Reals root = answer("optimal_bst", problem);
    const auto weight = [&](int i, int j) {
      double total = problem.second[i];
      for (int k = i; k < j; ++k) total += problem.first[k] + problem.second[k + 1];
      return total;
    };
    using Cost = std::function<double(int, int)>;
    const Cost cost_as_rooted = [&](int i, int j) {
      if (i == j) return problem.second[i];
      const int r = static_cast<int>(root[i * 8 + j]);
      return cost_as_rooted(i, r) + cost_as_rooted(r + 1, j) + weight(i, j);
    };
    const Cost least_cost = [&](int i, int j) {
      double least = i == j ? problem.second[i] : 1e9;
      for (int r = i; r < j; ++r) {
        least = std::min(least, least_cost(i, r) + least_cost(r + 1, j) + weight(i, j));
      }
      return least;
    };
    EXPECT_NEAR(cost_as_rooted(0, 7), least_cost(0, 7), 1e-12);
  });
}

TEST(ClrsAnswers, CommonSubsequencesAreLongest) {
  for_problems(kLcsSampler, 14, [](const Problem& problem) {
    const Reals moves = answer("lcs_length", problem);
    const auto first = static_cast<int>(problem.text.size());
    int found = 0;
    for (int i = first - 1, j = 6; i >= 0 && j >= 0;) {
      const double* move = moves.data() + (i * 14 + first + j) * 4;
      if (move[0] == 1) {
        EXPECT_EQ(problem.text[i], problem.pattern[j]);
        ++found;
        --i, --j;
      } else if (move[1] == 1) {
        --i;
      } else {
        --j;
      }
    }
    const std::function<int(int, int)> longest = [&](int i, int j) {
      if (i < 0 || j < 0) return 0;
      if (problem.text[i] == problem.pattern[j]) return 1 + longest(i - 1, j - 1);
      return std::max(longest(i - 1, j), longest(i, j - 1));
    };
    EXPECT_EQ(found, longest(first - 1, 6));
  });
}

TEST(ClrsAnswers, SelectedActivitiesAreTheMost) {
  for_problems(kActivitySampler, 8, [](const Problem& problem) {
    const auto compatible = [&](int set) {
      for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < 8; ++b) {
          const bool both = a != b && (set >> a & 1) != 0 && (set >> b & 1) != 0;
          const bool overlap =
              problem.first[a] < problem.second[b] && problem.first[b] < problem.second[a];
          if (both && overlap) return false;
        }
      }
      return true;
    };
    int most = 0;
    for (int set = 0; set < 256; ++set) {
      if (compatible(set)) most = std::max(most, __builtin_popcount(set));
    }
    int chosen = 0;
    const Reals selected = answer("activity_selector", problem);
    for (int i = 0; i < 8; ++i) chosen |= (selected[i] == 1 ? 1 : 0) << i;
    EXPECT_TRUE(compatible(chosen));
    EXPECT_EQ(__builtin_popcount(chosen), most);
  });
}

TEST(ClrsAnswers, NeedlesAreFoundWhereTheyFirstStand) {
  for_problems(kMatcherSampler, 18, [](const Problem& problem) {
    const int64_t wanted = std::search(problem.text.begin(), problem.text.end(),
                                       problem.pattern.begin(), problem.pattern.end()) -
                           problem.text.begin();
    EXPECT_EQ(place_of_one(answer("naive_string_matcher", problem)), wanted);
    EXPECT_EQ(place_of_one(answer("kmp_matcher", problem)), wanted);
  });
}

TEST(ClrsAnswers, AnAbsentNeedleGivesItsOwnHead) {
  Problem problem;
  problem.nodes = 6;
  problem.text = {0, 1, 0, 1};
  problem.pattern = {1, 1};
  EXPECT_EQ(place_of_one(answer("naive_string_matcher", problem)), 4);
  EXPECT_EQ(place_of_one(answer("kmp_matcher", problem)), 4);
}

TEST(ClrsAnswers, HullsHaveAllPointsOnOneSide) {
  for_problems(kHullSampler, 15, [](const Problem& problem) {
    const Reals& x = problem.first;
    const Reals& y = problem.second;
    // Corners: those from which some line leaves all others to its left.
    Reals wanted(15, 0);
    for (int a = 0; a < 15; ++a) {
      for (int b = 0; b < 15; ++b) {
        bool all_left = a != b;
        for (int c = 0; c < 15; ++c) {
          const double turn = (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
          all_left &= c == a || c == b || turn > 0;
        }
        if (all_left) wanted[a] = 1;
      }
    }
    EXPECT_EQ(answer("graham_scan", problem), wanted);
    EXPECT_EQ(answer("jarvis_march", problem), wanted);
  });
}

TEST(ClrsAnswers, SegmentsIntersectWhereTheyCross) {
  for_problems(kSegmentsSampler, 4, [](const Problem& problem) {
    const double wanted = segments_cross(problem.first, problem.second) ? 1 : 0;
    EXPECT_EQ(answer("segments_intersect", problem), Reals({wanted}));
  });
}

TEST(ClrsAnswers, SegmentsThatTouchIntersect) {
  Problem problem;
  problem.nodes = 4;
  problem.first = {0, 2, 1, 1};
  problem.second = {0, 0, 0, 1};
  EXPECT_EQ(answer("segments_intersect", problem), Reals({1}));
}

}  // namespace
}  // namespace floydnet::clrs
