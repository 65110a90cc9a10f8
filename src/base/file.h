// Whole-file reading and atomic writing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace floydnet {

/// The whole content; InputError if the file cannot be read or is larger than max_bytes.
std::string read_file(const std::string& path, uint64_t max_bytes = uint64_t{1} << 40);

/// Writes to a temporary name beside `path`, flushes to disk and renames. On failure the temporary
/// file is removed, `path` is as it was, and InputError says why.
void write_file_atomically(const std::string& path, std::string_view content);

/// The same for content that does not fit in memory: it is appended piece by piece, and `path` is
/// as it was unless and until commit() returns. A device or a pipe takes each piece at once.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::string_view content);
  void commit();

 private:
  class Target;
  std::string path_;
  std::unique_ptr<Target> target_;
};

/// Throws the InputError that writing would, as far as can be seen without it: long work should not
/// end in a result that has no place to go.
void require_writable(const std::string& path);
/// Throws InputError if so many bytes are more than are free where `path` is to be written.
void require_space(const std::string& path, double bytes);

}  // namespace floydnet
