// The lines of a text that somebody else wrote: any end of line, and none at the end of the text.
#pragma once

#include <cstdint>
#include <string_view>

namespace floydnet::graphs {

class TextLines {
 public:
  explicit TextLines(std::string_view text) : left_(text) {}

  /// The next line without its end, "\n" or "\r\n"; false after the last.
  bool next(std::string_view& line) {
    if (left_.empty()) return false;
    const size_t end = left_.find('\n');
    line = left_.substr(0, end);
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }

  /// The same, but lines of blanks are passed over.
  bool next_filled(std::string_view& line) {
    while (next(line)) {
      if (line.find_first_not_of(" \t") != std::string_view::npos) return true;
    }
    return false;
  }

  /// Of the line that was read last, from 1.
  uint64_t number() const { return number_; }

 private:
  std::string_view left_;
  uint64_t number_ = 0;
};

}  // namespace floydnet::graphs
