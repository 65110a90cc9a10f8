// Writing an NPZ archive that does not fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/zip.h"

namespace floydnet {

/// Arrays one after another, each piece by piece. The file appears whole under its name, or not at
/// all.
class NpzStream {
 public:
  explicit NpzStream(const std::string& path);

  /// `kind` and `item_size` as in NpyArray. Throws std::invalid_argument for a type or shape that
  /// NPY does not hold, for a name that is taken, and if the array before lacks elements.
  void begin(const std::string& name, char kind, int64_t item_size,
             const std::vector<int64_t>& shape);
  /// Elements in C order and this machine's byte order.
  void append(std::string_view bytes) { zip_.append(bytes); }
  void finish();

 private:
  AtomicFile file_;
  ZipStream zip_;
};

}  // namespace floydnet
