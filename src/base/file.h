// Whole-file reading and atomic writing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace floydnet {

/// The whole content; InputError if the file cannot be read or is larger than max_bytes.
std::string read_file(const std::string& path, uint64_t max_bytes = uint64_t{1} << 40);

/// Writes to a temporary name beside `path`, flushes to disk and renames. On failure the temporary
/// file is removed, `path` is as it was, and InputError says why.
void write_file_atomically(const std::string& path, std::string_view content);

/// Throws the InputError that writing would, as far as can be seen without it: long work should not
/// end in a result that has no place to go.
void require_writable(const std::string& path);

}  // namespace floydnet
