/// \file
/// Reading and writing graphs and arrays: graph6, digraph6, sparse6, NPY and NPZ.
///
/// Every reader checks sizes before it allocates and throws InputError with the position of the
/// first fault. `source` names the input in those messages. Every writer is atomic: the file
/// appears whole under its name, or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph.h"

namespace floydnet {

// --- graph6, digraph6, sparse6 -------------------------------------------------------------------

/// Limits that a reader holds input to.
struct GraphLimits {
  int64_t max_nodes = 100'000;
  int64_t max_edges = 50'000'000;
};

enum class GraphFormat { kGraph6, kDigraph6, kSparse6 };

/// Parses one graph of any of the three formats, told apart by the first character. The optional
/// headers (`>>graph6<<` and so on) are accepted. `text` has no line end.
FLOYDNET_EXPORT Graph parse_graph(std::string_view text, const std::string& source = "graph",
                                  const GraphLimits& limits = {});

/// One line, without a line end. kGraph6 wants an undirected graph without loops, kSparse6 an
/// undirected one, kDigraph6 a directed one; otherwise std::invalid_argument.
FLOYDNET_EXPORT std::string format_graph(const Graph& graph, GraphFormat format);

/// A file with one graph a line; blank lines are skipped.
FLOYDNET_EXPORT std::vector<Graph> read_graphs(const std::string& path,
                                               const GraphLimits& limits = {});
FLOYDNET_EXPORT void write_graphs(const std::string& path, const std::vector<Graph>& graphs,
                                  GraphFormat format);

// --- NPY, NPZ ------------------------------------------------------------------------------------

/// An n-dimensional array as NumPy stores it, in this machine's byte order and C order.
struct FLOYDNET_EXPORT NpyArray {
  /// NumPy's kind letter: 'b' bool, 'i', 'u', 'f', 'S' bytes, 'U' UTF-32 text.
  char kind = 'f';
  /// Bytes of one element (for 'U' four times the number of characters).
  int64_t item_size = 8;
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  int64_t elements() const;
  /// The type in NumPy's notation without byte order, for example "f8".
  std::string type() const;
  /// Element values converted to T (double, float, int8_t .. uint64_t); kinds b, i, u, f only, and
  /// only where the value fits, otherwise InputError. Integers convert exactly or not at all; real
  /// numbers may be rounded to a narrower real type, but not to infinity.
  template <typename T>
  std::vector<T> as() const;
  /// One text for each element of an S or U array, without trailing zeros; U is given as UTF-8.
  std::vector<std::string> strings() const;

  /// Same type, shape and bytes.
  bool operator==(const NpyArray& other) const;

  /// Throws std::invalid_argument where the shape does not hold the values.
  template <typename T>
  static NpyArray from(const std::vector<T>& values, std::vector<int64_t> shape);
  /// An S array wide enough for the longest text, which must not end in a zero byte.
  static NpyArray from_strings(const std::vector<std::string>& values, std::vector<int64_t> shape);
};

/// Arrays larger than `max_bytes` in all are refused before anything is allocated.
constexpr int64_t kDefaultMaxArrayBytes = int64_t{8} << 30;

FLOYDNET_EXPORT NpyArray parse_npy(std::string_view bytes, const std::string& source = "npy",
                                   int64_t max_bytes = kDefaultMaxArrayBytes);
FLOYDNET_EXPORT std::string format_npy(const NpyArray& array);
FLOYDNET_EXPORT NpyArray read_npy(const std::string& path,
                                  int64_t max_bytes = kDefaultMaxArrayBytes);
FLOYDNET_EXPORT void write_npy(const std::string& path, const NpyArray& array);

/// Arrays by name, without the ".npy" that the members of the archive carry.
using NpzArchive = std::map<std::string, NpyArray>;

FLOYDNET_EXPORT NpzArchive parse_npz(std::string_view bytes, const std::string& source = "npz",
                                     int64_t max_bytes = kDefaultMaxArrayBytes);
FLOYDNET_EXPORT std::string format_npz(const NpzArchive& archive, bool deflate = false);
FLOYDNET_EXPORT NpzArchive read_npz(const std::string& path,
                                    int64_t max_bytes = kDefaultMaxArrayBytes);
FLOYDNET_EXPORT void write_npz(const std::string& path, const NpzArchive& archive,
                               bool deflate = false);

}  // namespace floydnet
