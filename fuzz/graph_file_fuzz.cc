// Sets of graphs as NPZ; the checksums of the archive stop most changes of its arrays, so those are
// made of the input as well.
#include <algorithm>
#include <stdexcept>

#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/data/test_sets.h"

using namespace floydnet;

namespace {

/// Arrays of numbers that the input holds byte by byte: sizes, counts, edges, a column.
NpzArchive archive_of(const uint8_t* data, size_t size) {
  const auto values = [&](size_t part) {
    const size_t begin = size * part / 4;
    return std::vector<int8_t>(data + begin, data + size * (part + 1) / 4);
  };
  NpzArchive archive;
  const auto add = [&](const char* name, std::vector<int8_t> entries, int64_t width) {
    const auto rows = static_cast<int64_t>(entries.size()) / width;
    entries.resize(static_cast<size_t>(rows * width));
    archive[name] = NpyArray::from(entries, {rows, width});
    if (width == 1) archive[name].shape = {rows};
  };
  add("sizes", values(0), 1);
  add("edge_counts", values(1), 1);
  add("edges", values(2), 2);
  add("node_x", values(3), 1);
  return archive;
}

void try_bytes(std::string_view bytes) {
  try {
    graphs::parse_graph_file(bytes, "fuzz", 1 << 20).check();
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try_bytes(fuzz_text(data, size));
  try_bytes(format_npz(archive_of(data, size)));
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  NpzArchive archive;
  archive["sizes"] = NpyArray::from<int64_t>({3, 1}, {2});
  archive["edges"] = NpyArray::from<int64_t>({0, 1, 1, 2}, {2, 2});
  archive["edge_counts"] = NpyArray::from<int64_t>({2, 0}, {2});
  archive["graph_y"] = NpyArray::from<float>({1, 2}, {2});
  std::string arrays = {3, 2, 2, 1};  // sizes
  arrays += {2, 1, 1, 0};             // counts
  arrays += {0, 1, 1, 2};             // edges, too few
  return {format_npz(archive), arrays + std::string(4, 1), std::string("\x02\x01\0\1", 4)};
}
