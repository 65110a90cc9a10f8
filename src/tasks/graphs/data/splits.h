// Which graphs are for training, for validation and for the test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

struct SplitPlaces {
  std::vector<int64_t> train, validation, test;
};

/// One entry a graph; kNone for those in no part. InputError, which names `source`, for a place
/// that is out of range or in two parts.
std::vector<Split> splits_of(const SplitPlaces& places, int64_t graphs, const std::string& source);

/// The places of one part, in their order.
std::vector<int64_t> places_of(const std::vector<Split>& splits, Split part);

/// Parts of the given fractions, drawn by a seed: the same on every machine. What is left over by
/// fractions that add up to less than 1 is in no part. Parts are rounded so that fractions that add
/// up to 1 leave nothing over. Throws std::invalid_argument for fractions that add up to more.
struct SplitFractions {
  double train = .8;
  double validation = .1;
  double test = .1;
};
std::vector<Split> random_splits(int64_t graphs, const SplitFractions& fractions, uint64_t seed);

/// "0.8,0.1,0.1"; InputError for anything else.
SplitFractions parse_fractions(const std::string& text);

/// A folder with train, val (or valid) and test as .txt, .csv or .index, possibly compressed by
/// gzip: places from 0, separated by commas, blanks or line ends.
std::vector<Split> read_split_folder(const std::string& folder, int64_t graphs);
std::vector<int64_t> parse_places(std::string_view text, const std::string& source);

}  // namespace floydnet::graphs
