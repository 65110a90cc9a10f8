#include "tasks/graphs/molecules/zinc_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::graphs {

std::vector<size_t> parse_zinc_index(std::string_view text, const std::string& source,
                                     size_t rows) {
  std::vector<size_t> index;
  std::vector<bool> seen(rows);
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find_first_of(",\r\n", begin), text.size());
    const std::string_view number = text.substr(begin, end - begin);
    size_t row = 0;
    const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), row);
    const bool line_end = number.empty() && end < text.size() && text[end] != ',';
    if (!line_end) {
      if (error != std::errc() || rest != number.data() + number.size() || row >= rows) {
        throw InputError::at_byte(source, begin,
                                  fmt::format("{} is no row, 0 to {}", in_quotes(number),
                                              static_cast<int64_t>(rows) - 1));
      }
      if (seen[row])
        throw InputError::at_byte(source, begin, fmt::format("row {} comes twice", row));
      seen[row] = true;
      index.push_back(row);
    }
    begin = end + 1;
  }
  return index;
}

}  // namespace floydnet::graphs
