// Files compressed by gzip.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace floydnet {

/// Whether the bytes begin as gzip's do.
bool is_gzip(std::string_view bytes);

/// What gzip has compressed, all its members one after the other. InputError, which names `source`,
/// if it is damaged or makes more than `max_bytes`.
std::string gunzip(std::string_view bytes, const std::string& source, uint64_t max_bytes);

/// The content of a file, inflated if it is compressed by gzip.
std::string read_maybe_gzip(const std::string& path, uint64_t max_bytes = uint64_t{1} << 36);

}  // namespace floydnet
