#include "tasks/graphs/data/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/draws.h"
#include "base/gzip.h"
#include "base/require.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::graphs {
namespace {

namespace fs = std::filesystem;

void mark_part(const std::vector<int64_t>& places, Split part, const std::string& source,
               std::vector<Split>& splits) {
  for (const int64_t place : places) {
    if (place < 0 || place >= static_cast<int64_t>(splits.size())) {
      throw InputError::in(source,
                           fmt::format("there is no graph {}, only {}", place, splits.size()));
    }
    Split& split = splits[static_cast<size_t>(place)];
    if (split != Split::kNone) {
      throw InputError::in(source, fmt::format("graph {} is there twice", place));
    }
    split = part;
  }
}

/// The file of one part; its name is one of several.
std::vector<int64_t> read_part(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (const char* ending : {".txt", ".csv", ".index", ".csv.gz", ".txt.gz"}) {
      const fs::path path = folder / (name + ending);
      if (fs::exists(path)) return parse_places(read_maybe_gzip(path.string()), path.string());
    }
  }
  throw InputError::in(folder.string(),
                       fmt::format("has no {}.txt (or .csv, .index, .csv.gz)", names.front()));
}

}  // namespace

std::vector<Split> splits_of(const SplitPlaces& places, int64_t graphs, const std::string& source) {
  std::vector<Split> splits(static_cast<size_t>(graphs), Split::kNone);
  mark_part(places.train, Split::kTrain, source, splits);
  mark_part(places.validation, Split::kValidation, source, splits);
  mark_part(places.test, Split::kTest, source, splits);
  return splits;
}

std::vector<int64_t> places_of(const std::vector<Split>& splits, Split part) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < splits.size(); ++i) {
    if (splits[i] == part) places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

std::vector<Split> random_splits(int64_t graphs, const SplitFractions& fractions, uint64_t seed) {
  const double sum = fractions.train + fractions.validation + fractions.test;
  require(
      fractions.train >= 0 && fractions.validation >= 0 && fractions.test >= 0 && sum <= 1 + 1e-9,
      "fractions {}, {}, {}: wanted numbers from 0 that add up to at most 1", fractions.train,
      fractions.validation, fractions.test);
  std::vector<int64_t> order(static_cast<size_t>(graphs));
  std::iota(order.begin(), order.end(), 0);
  Draws draws({seed});
  draws.shuffle(order);
  const auto end_of = [&](double part) {
    return std::min(graphs, static_cast<int64_t>(std::llround(part * static_cast<double>(graphs))));
  };
  const int64_t train = end_of(fractions.train);
  const int64_t validation = end_of(fractions.train + fractions.validation);
  const int64_t test = end_of(sum);
  std::vector<Split> splits(order.size(), Split::kNone);
  for (int64_t i = 0; i < test; ++i) {
    splits[static_cast<size_t>(order[static_cast<size_t>(i)])] = i < train ? Split::kTrain
                                                                 : i < validation
                                                                     ? Split::kValidation
                                                                     : Split::kTest;
  }
  return splits;
}

SplitFractions parse_fractions(const std::string& text) {
  double values[3] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [stop, error] = std::from_chars(at, end, values[i]);
    const bool separated = i == 2 ? stop == end : stop != end && *stop == ',';
    if (error != std::errc() || !separated || !(values[i] >= 0 && values[i] <= 1)) {
      throw InputError::in(in_quotes(text), "wanted three fractions such as 0.8,0.1,0.1");
    }
    at = stop + 1;
  }
  if (values[0] + values[1] + values[2] > 1 + 1e-9) {
    throw InputError::in(in_quotes(text), "the fractions add up to more than 1");
  }
  return {values[0], values[1], values[2]};
}

std::vector<int64_t> parse_places(std::string_view text, const std::string& source) {
  std::vector<int64_t> places;
  uint64_t line = 1;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') ++line;
    if (text[at] == '\n' || text[at] == '\r' || text[at] == ',' || text[at] == ' ' ||
        text[at] == '\t') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_of("\r\n, \t", at), text.size());
    int64_t place = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, place);
    if (error != std::errc() || stop != text.data() + end || place < 0) {
      throw InputError::at_line(source, line,
                                in_quotes(text.substr(at, end - at)) + " is no graph's place");
    }
    places.push_back(place);
    at = end;
  }
  return places;
}

std::vector<Split> read_split_folder(const std::string& folder, int64_t graphs) {
  SplitPlaces places;
  places.train = read_part(folder, {"train"});
  places.validation = read_part(folder, {"val", "valid", "validation"});
  places.test = read_part(folder, {"test"});
  return splits_of(places, graphs, folder);
}

}  // namespace floydnet::graphs
