#include "tasks/clrs/data/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

constexpr double kPi = 3.141592653589793;

Problem draw_sequence(RandomState& random, int64_t length, double low, double high) {
  Problem problem;
  problem.nodes = length;
  problem.first = random.uniform(low, high, length);
  return problem;
}

Problem draw_sorting(RandomState& random, const SamplerOptions& options) {
  return draw_sequence(random, options.length, 0, 1);
}

Problem draw_search(RandomState& random, const SamplerOptions& options) {
  Problem problem = draw_sequence(random, options.length, 0, 1);
  std::sort(problem.first.begin(), problem.first.end());
  problem.target = random.uniform(0, 1);
  return problem;
}

Problem draw_max_subarray(RandomState& random, const SamplerOptions& options) {
  return draw_sequence(random, options.length, -1, 1);
}

Problem draw_lcs(RandomState& random, const SamplerOptions& options) {
  Problem problem;
  problem.nodes = options.length;
  const int64_t second = options.length / 2;
  problem.text = random.integers(0, kCharacters, options.length - second);
  problem.pattern = random.integers(0, kCharacters, second);
  return problem;
}

Problem draw_optimal_bst(RandomState& random, const SamplerOptions& options) {
  const int64_t keys = options.length;
  Reals all = random.uniform(0, 1, 2 * keys + 1);
  const double sum = pairwise_sum(all.data(), 2 * keys + 1);
  for (double& value : all) value /= sum;
  Problem problem;
  problem.nodes = keys + 1;
  problem.first.assign(all.begin(), all.begin() + keys);
  problem.second.assign(all.begin() + keys, all.end());
  return problem;
}

Problem draw_activity(RandomState& random, const SamplerOptions& options) {
  Problem problem = draw_sequence(random, options.length, 0, 1);
  problem.second = random.uniform(0, 1, options.length);
  for (int64_t i = 0; i < options.length; ++i) {
    if (problem.second[i] < problem.first[i]) std::swap(problem.first[i], problem.second[i]);
  }
  return problem;
}

Problem draw_task(RandomState& random, const SamplerOptions& options) {
  Problem problem;
  problem.nodes = options.length;
  for (const int64_t deadline : random.integers(0, options.length, options.length)) {
    problem.first.push_back(static_cast<double>(deadline + 1));
  }
  problem.second = random.uniform(0, 1, options.length);
  return problem;
}

int64_t needle_length(RandomState& random, const SamplerOptions& options) {
  if (options.needle_length < 0) return random.integer(1, 1 - options.needle_length);
  if (options.needle_length > 0) return options.needle_length;
  return std::max<int64_t>(1, options.length / 5);
}

Problem draw_matcher(RandomState& random, const SamplerOptions& options) {
  Problem problem;
  problem.nodes = options.length;
  const int64_t needle = needle_length(random, options);
  const int64_t haystack = options.length - needle;
  problem.pattern = random.integers(0, kCharacters, needle);
  problem.text = random.integers(0, kCharacters, haystack);
  const int64_t position = random.choice(haystack - needle);
  std::copy(problem.pattern.begin(), problem.pattern.end(), problem.text.begin() + position);
  return problem;
}

void draw_points(RandomState& random, Problem& problem) {
  problem.first = random.uniform(0, 1, problem.nodes);
  problem.second = random.uniform(0, 1, problem.nodes);
}

Problem draw_segments(RandomState& random, const SamplerOptions&) {
  static const Binomial coin(1, 0.5);
  Problem problem;
  problem.nodes = 4;
  const bool wanted = random.binomial(coin) == 1;
  do {
    draw_points(random, problem);
  } while (segments_cross(problem.first, problem.second) != wanted);
  return problem;
}

bool has_collinear_points(const Reals& x, const Reals& y) {
  constexpr double kTolerance = 1e-12;
  const size_t n = x.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + 1; j < n; ++j) {
      const double dx = x[j] - x[i];
      const double dy = y[j] - y[i];
      for (size_t k = j + 1; k < n; ++k) {
        const double cross = dx * (y[k] - y[i]) - dy * (x[k] - x[i]);
        if (std::abs(cross) < kTolerance) return true;
      }
    }
  }
  return false;
}

/// Uniform in a disc of radius 2. After so many attempts the official sampler gives up, too.
Problem draw_hull(RandomState& random, const SamplerOptions& options) {
  constexpr int kAttempts = 1000;
  constexpr double kRadius = 2.0;
  constexpr double kOrigin = 0.0;
  Problem problem;
  problem.nodes = options.length;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Reals angles = random.uniform(0, 2.0 * kPi, options.length);
    problem.first = random.uniform(0, 1, options.length);
    problem.second.resize(options.length);
    for (int64_t i = 0; i < options.length; ++i) {
      const double radius = kRadius * std::sqrt(problem.first[i]);
      problem.first[i] = radius * std::cos(angles[i]) + kOrigin;
      problem.second[i] = radius * std::sin(angles[i]) + kOrigin;
    }
    if (!has_collinear_points(problem.first, problem.second)) return problem;
  }
  throw InputError(
      fmt::format("no {} points without three on a line in {} attempts; ask for a smaller length",
                  options.length, kAttempts));
}

void check_needle(const SamplerOptions& options, const std::string& algorithm) {
  if (options.needle_length < -kMaxLength || options.needle_length > kMaxLength) {
    throw InputError(fmt::format("a needle length of {} is not in {}..{}", options.needle_length,
                                 -kMaxLength, kMaxLength));
  }
  const int64_t longest = std::abs(options.needle_length);
  if (options.length - 2 * longest >= 1) return;
  throw InputError(
      fmt::format("needles of up to {} characters need a length of at least {} for {}, not {}",
                  longest, 2 * longest + 1, algorithm, options.length));
}

}  // namespace

const Sampler kSortingSampler{draw_sorting};
const Sampler kSearchSampler{draw_search};
const Sampler kMaxSubarraySampler{draw_max_subarray};
const Sampler kLcsSampler{draw_lcs};
const Sampler kOptimalBstSampler{draw_optimal_bst, 1};
const Sampler kActivitySampler{draw_activity};
const Sampler kTaskSampler{draw_task};
const Sampler kMatcherSampler{draw_matcher, 3, false, true};
const Sampler kSegmentsSampler{draw_segments, 1};
const Sampler kHullSampler{draw_hull, 3};

void Sampler::check(const SamplerOptions& options, const std::string& algorithm) const {
  if (options.length < least_length) {
    throw InputError(fmt::format("length {} is too small for {}: it takes at least {}",
                                 options.length, algorithm, least_length));
  }
  if (options.length > kMaxLength) {
    throw InputError(
        fmt::format("length {} is too large: the limit is {}", options.length, kMaxLength));
  }
  for (const double p : options.edge_probabilities) {
    if (!(p >= 0 && p <= 1)) {
      throw InputError(fmt::format("an edge probability is from 0 to 1, not {}", p));
    }
  }
  if (options.graphs != GraphFamily::kClrs && !undirected) {
    throw InputError(fmt::format(
        "SALSA graphs are undirected, and {} does not take undirected graphs", algorithm));
  }
  if (matches_strings) check_needle(options, algorithm);
}

bool segments_cross(const Reals& x, const Reals& y) {
  const auto counterclockwise = [&](int a, int b, int c) {
    return (y[c] - y[a]) * (x[b] - x[a]) > (y[b] - y[a]) * (x[c] - x[a]);
  };
  return counterclockwise(0, 2, 3) != counterclockwise(1, 2, 3) &&
         counterclockwise(0, 1, 2) != counterclockwise(0, 1, 3);
}

double pairwise_sum(const double* values, int64_t count) {
  constexpr int64_t kLanes = 8;
  constexpr int64_t kBlock = 128;
  if (count > kBlock) {
    const int64_t half = count / 2 / kLanes * kLanes;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  double sum = 0;
  int64_t done = 0;
  if (count >= kLanes) {
    double lanes[kLanes];
    std::copy(values, values + kLanes, lanes);
    for (done = kLanes; done + kLanes <= count; done += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[done + lane];
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
          ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (; done < count; ++done) sum += values[done];
  return sum;
}

}  // namespace floydnet::clrs
