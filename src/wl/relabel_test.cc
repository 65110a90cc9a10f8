#include "wl/relabel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

#include "wl/parallel.h"

namespace floydnet::wl {
namespace {

TEST(Relabel, NumbersKeysInOrderOfAppearance) {
  const std::vector<Key> keys = {{5, 1}, {5, 2}, {6, 1}, {5, 1}, {5, 2}};
  std::vector<uint32_t> colours(keys.size());
  EXPECT_EQ(relabel(keys, colours), 3);
  EXPECT_EQ(colours, (std::vector<uint32_t>{0, 1, 2, 0, 1}));
}

// Keys that fall on few slots, and more of them than the table first holds.
TEST(Relabel, AgreesWithAMapWhenCrowded) {
  std::mt19937_64 random(1);
  std::vector<Key> keys;
  for (int i = 0; i < 20000; ++i) keys.push_back({random() % 50 << 40, random() % 100});
  std::vector<uint32_t> colours(keys.size());
  const int64_t count = relabel(keys, colours);
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> numbers;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto next = static_cast<uint32_t>(numbers.size());
    EXPECT_EQ(colours[i],
              numbers.emplace(std::pair(keys[i].low, keys[i].high), next).first->second);
  }
  EXPECT_EQ(count, static_cast<int64_t>(numbers.size()));
}

TEST(Relabel, RefusesColoursThatDoNotFit) {
  std::vector<uint32_t> colours(2);
  EXPECT_THROW(relabel({{1, 1}}, colours), std::invalid_argument);
}

/// How many values appear again.
int64_t repeated(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return values.end() - std::unique(values.begin(), values.end());
}

/// No two keys meet, not even in one lane: a lane alone would have 2^-64 for each pair of keys.
void expect_all_different(const std::vector<Key>& keys) {
  std::vector<uint64_t> low;
  std::vector<uint64_t> high;
  for (const Key& key : keys) {
    low.push_back(key.low);
    high.push_back(key.high);
  }
  EXPECT_EQ(repeated(low), 0);
  EXPECT_EQ(repeated(high), 0);
}

// Small numbers in every place, as colours are.
TEST(Mix, SmallVectorsDiffer) {
  std::vector<Key> keys;
  for (uint32_t a = 0; a < 24; ++a) {
    for (uint32_t b = 0; b < 24; ++b) {
      for (uint32_t c = 0; c < 24; ++c) {
        for (uint32_t d = 0; d < 24; ++d) keys.push_back(mix(pack(a, b), spread(pack(c, d))));
      }
      for (const uint64_t use : {kOfPair, kOfColour, kOfGraph})
        keys.push_back(mix(pack(a, b), use));
    }
  }
  expect_all_different(keys);
}

// {(a, b), (c, d)} and {(a, d), (c, b)}, or {x, x} and {0, 2x}, have the same sums of entries: a
// hash with any linearity left would merge them.
TEST(Mix, MultisetsOfTwoDiffer) {
  const std::function<Key(uint32_t, uint32_t)> forms[] = {
      [](uint32_t a, uint32_t b) { return mix(pack(a, b), kOfPair); },
      [](uint32_t a, uint32_t b) { return mix(pack(a, 7), spread(b)); },
      [](uint32_t a, uint32_t b) { return mix(pack(5, a), spread(pack(b, 9))); },
      [](uint32_t a, uint32_t b) { return mix(pack(5, 7), spread(pack(a, b))); },
  };
  for (const auto& form : forms) {
    std::vector<Key> ones;
    for (uint32_t a = 0; a < 32; ++a) {
      for (uint32_t b = 0; b < 32; ++b) ones.push_back(form(a, b));
    }
    std::vector<Key> sums;
    for (size_t i = 0; i < ones.size(); ++i) {
      for (size_t j = i; j < ones.size(); ++j) {
        sums.push_back(ones[i]);
        sums.back() += ones[j];
      }
    }
    expect_all_different(sums);
  }
}

TEST(ParallelFor, CoversEverythingOnceAndThrowsOn) {
  std::vector<int> hits(1000, 0);
  parallel_for(4, 1000, 7, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++hits[static_cast<size_t>(i)];
  });
  EXPECT_EQ(hits, std::vector<int>(1000, 1));
  EXPECT_THROW(parallel_for(3, 100, 1,
                            [](int64_t begin, int64_t) {
                              if (begin == 50) throw std::runtime_error("part 50");
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace floydnet::wl
