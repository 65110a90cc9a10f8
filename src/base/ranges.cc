#include "base/ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

int64_t parse_bound(const std::string& text, std::pair<int64_t, int64_t> limits,
                    const std::string& what) {
  uint64_t value = 0;  // unsigned, so that a minus sign is refused
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  if (error != std::errc() || end != stop || value < static_cast<uint64_t>(limits.first) ||
      value > static_cast<uint64_t>(limits.second)) {
    throw InputError(fmt::format("{}: {} is not a number in {}..{}; write for example {}-{},{}",
                                 what, in_quotes(text), limits.first, limits.second, limits.first,
                                 limits.first + 9, limits.first + 20));
  }
  return static_cast<int64_t>(value);
}

}  // namespace

std::vector<int64_t> parse_ranges(const std::string& text, std::pair<int64_t, int64_t> limits,
                                  const std::string& what) {
  std::set<int64_t> numbers;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string range = text.substr(begin, end - begin);
    const size_t dash = std::min(range.find('-'), range.size());
    const int64_t first = parse_bound(range.substr(0, dash), limits, what);
    const int64_t last =
        dash < range.size() ? parse_bound(range.substr(dash + 1), limits, what) : first;
    if (first > last) {
      throw InputError(fmt::format("{}: the range {} runs backwards", what, in_quotes(range)));
    }
    for (int64_t number = first; number <= last; ++number) numbers.insert(number);
    begin = end + 1;
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace floydnet
