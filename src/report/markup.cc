#include "report/markup.h"

#include <cstdint>

namespace floydnet {
namespace {

/// How many bytes of the text's beginning are one character; 0 if they are none.
size_t character_size(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || size > text.size()) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Longer than need be, a half of a pair of UTF-16, or beyond Unicode.
  const uint8_t second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

std::string with_entities(std::string_view text, std::string_view kept_controls) {
  std::string result;
  while (!text.empty()) {
    const size_t size = character_size(text);
    const char c = text[0];
    if (size == 0) {
      result += "\uFFFD";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (static_cast<uint8_t>(c) < 0x20 && kept_controls.find(c) == std::string_view::npos) {
      result += ' ';
    } else {
      result += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

}  // namespace

std::string escaped(std::string_view text) { return with_entities(text, ""); }

std::string escaped_lines(std::string_view text) { return with_entities(text, "\n"); }

}  // namespace floydnet
