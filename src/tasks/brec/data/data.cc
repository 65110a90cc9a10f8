#include "tasks/brec/data/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/ranges.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"

namespace floydnet::brec {
namespace {

constexpr int64_t kMaxFileBytes = int64_t{1} << 30;
constexpr int64_t kMaxNodes = 1000;    // the largest graph has 198
constexpr int64_t kCopiesOfPair = 64;  // in brec_v3.npy: 32 relabelled copies of each graph

Graph parse_entry(const std::string& text, const std::string& path, int64_t entry) {
  GraphLimits limits;
  limits.max_nodes = kMaxNodes;
  return parse_graph(text, fmt::format("{}: entry {}", path, entry), limits);
}

std::vector<std::string> read_texts(const std::string& path) {
  const NpyArray array = read_npy(path, kMaxFileBytes);
  try {
    return array.strings();
  } catch (const InputError& error) {
    throw InputError::in(path, error.what());
  }
}

/// Two consecutive entries.
Pair parse_pair(int64_t id, const std::vector<std::string>& texts, const std::string& path,
                int64_t entry) {
  const auto at = static_cast<size_t>(entry);
  Pair pair = {id, parse_entry(texts[at], path, entry),
               parse_entry(texts[at + 1], path, entry + 1)};
  if (pair.a.nodes() != pair.b.nodes()) {
    throw InputError::in(path,
                         fmt::format("entries {} and {}: graphs of {} and {} nodes, but the "
                                     "two of a pair have equally many; the file is not BREC's",
                                     entry, entry + 1, pair.a.nodes(), pair.b.nodes()));
  }
  return pair;
}

/// Rows of two, or consecutive entries: the same order in memory.
void append_part(const std::string& folder, const Part& part, std::vector<Pair>& pairs) {
  const std::string path = folder + "/" + part.file;
  const std::vector<std::string> texts = read_texts(path);
  const int64_t wanted = 2 * (part.last - part.first + 1);
  if (static_cast<int64_t>(texts.size()) != wanted) {
    throw InputError::in(path, fmt::format("{} graphs, wanted {}", texts.size(), wanted));
  }
  for (int64_t entry = 0; entry < wanted; entry += 2) {
    pairs.push_back(parse_pair(part.first + entry / 2, texts, path, entry));
  }
}

std::vector<Pair> read_single_file(const std::string& path) {
  const std::vector<std::string> texts = read_texts(path);
  const int64_t wanted = 2 * kPairs * kCopiesOfPair;
  if (static_cast<int64_t>(texts.size()) != wanted) {
    throw InputError::in(
        path, fmt::format("{} graphs, wanted {} (brec_v3.npy) or a folder with {} and others",
                          texts.size(), wanted, parts()[0].file));
  }
  std::vector<Pair> pairs;
  for (int64_t id = 0; id < kPairs; ++id) {
    pairs.push_back(parse_pair(id, texts, path, id * kCopiesOfPair));
  }
  return pairs;
}

}  // namespace

const std::vector<Part>& parts() {
  static const std::vector<Part> all = {
      {"Basic", "basic.npy", "Basic", 0, 59},
      {"Simple regular", "regular.npy", "Regular", 60, 109},
      {"Strongly regular", "str.npy", "Regular", 110, 159},
      {"Extension", "extension.npy", "Extension", 160, 259},
      {"CFI", "cfi.npy", "CFI", 260, 359},
      {"4-vertex condition", "4vtx.npy", "Regular", 360, 379},
      {"Distance regular", "dr.npy", "Regular", 380, 399},
  };
  return all;
}

const std::vector<std::string>& categories() {
  static const std::vector<std::string> all = {"Basic", "Regular", "Extension", "CFI"};
  return all;
}

const Part& part_of(int64_t id) {
  for (const Part& part : parts()) {
    if (id >= part.first && id <= part.last) return part;
  }
  throw std::invalid_argument(fmt::format("BREC id {}, wanted 0..{}", id, kPairs - 1));
}

std::vector<Pair> read_pairs(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return read_single_file(path);
  std::vector<Pair> pairs;
  for (const Part& part : parts()) append_part(path, part, pairs);
  return pairs;
}

std::vector<CategoryCount> count_by_category(const std::vector<int64_t>& run,
                                             const std::vector<int64_t>& distinguished) {
  std::vector<CategoryCount> counts;
  for (const std::string& category : categories()) {
    const auto count = [&](const std::vector<int64_t>& ids) {
      return std::count_if(ids.begin(), ids.end(),
                           [&](int64_t id) { return part_of(id).category == category; });
    };
    counts.push_back({category, count(distinguished), count(run)});
  }
  return counts;
}

std::vector<int64_t> parse_ids(const std::string& text) {
  return parse_ranges(text, {0, kPairs - 1}, "ids");
}

std::string format_ids(const std::vector<int64_t>& ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(ids[i]);
    if (end - i > 1) text += fmt::format("-{}", ids[end - 1]);
    i = end;
  }
  return text.empty() ? "none" : text;
}

}  // namespace floydnet::brec
