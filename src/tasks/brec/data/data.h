// The graph pairs of the BREC benchmark.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::brec {

constexpr int64_t kPairs = 400;

/// Ids first .. last belong to one part of the benchmark, which the published tables count under
/// `category`.
struct Part {
  const char* name;
  const char* file;  // of the folder form
  const char* category;
  int64_t first, last;
};

/// The seven parts, in order of their ids.
const std::vector<Part>& parts();
/// "Basic", "Regular", "Extension", "CFI": the rows of the published tables.
const std::vector<std::string>& categories();
/// The part that a pair belongs to; std::invalid_argument unless the id is in 0..399.
const Part& part_of(int64_t id);

struct Pair {
  int64_t id = 0;
  Graph a, b;
};

/// All 400 pairs by id, from a folder with the seven files of the parts, or from one brec_v3.npy
/// (the first copy of each graph is taken). Throws InputError if something is missing or damaged.
std::vector<Pair> read_pairs(const std::string& path);

struct CategoryCount {
  std::string name;
  int64_t distinguished = 0;
  int64_t pairs = 0;
};
/// The rows of the published tables, for the pairs that were run.
std::vector<CategoryCount> count_by_category(const std::vector<int64_t>& run,
                                             const std::vector<int64_t>& distinguished);

/// Ids from a text such as "0-59,110,260-279", sorted, each once. Throws InputError.
std::vector<int64_t> parse_ids(const std::string& text);
/// The same text from sorted ids; "none" if there are none.
std::string format_ids(const std::vector<int64_t>& ids);

}  // namespace floydnet::brec
