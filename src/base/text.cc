#include "base/text.h"

#include <nlohmann/json.hpp>

namespace floydnet {

std::string in_quotes(std::string_view text) {
  constexpr size_t kLongest = 60;
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      result += c;
    } else {
      result += {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

bool is_utf8(std::string_view text) {
  try {
    nlohmann::json(std::string(text)).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace floydnet
