// Golden texts that are kept compressed, for tests only.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace floydnet::tsp {

/// What `xz -dc` makes of a file; empty if there is no such program.
inline std::string decompressed(const std::string& path) {
  std::string text;
  std::FILE* pipe = ::popen(("xz -dc '" + path + "' 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 1 << 16> buffer;
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), got);
  }
  ::pclose(pipe);
  return text;
}

}  // namespace floydnet::tsp
