#include "graph/npy_header.h"

#include <algorithm>
#include <limits>

#include "base/little_endian.h"
#include "base/shape.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint64_t kVersionEnd = 8;

/// Reads the dict literal {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, its keys in
/// any order, and nothing else of Python.
class DictParser {
 public:
  DictParser(std::string_view bytes, uint64_t start, uint64_t end, const std::string& source,
             NpyHeader& header)
      : bytes_(bytes), position_(start), end_(end), source_(source), header_(header) {}

  void parse() {
    expect('{');
    while (!accept('}')) {
      parse_item();
      if (accept('}')) break;
      expect(',');
    }
    skip_space();
    if (position_ != end_) fail(position_, "the header goes on after its dict");
    if (!descr_at_) fail(end_, "the header has no 'descr'");
    if (!order_at_) fail(end_, "the header has no 'fortran_order'");
    if (!shape_at_) fail(end_, "the header has no 'shape'");
  }

  uint64_t shape_offset() const { return *shape_at_; }

 private:
  [[noreturn]] void fail(uint64_t offset, const std::string& problem) const {
    throw InputError::at_byte(source_, offset, problem);
  }

  char peek() const { return position_ < end_ ? bytes_[position_] : '\0'; }

  void skip_space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++position_;
  }

  bool accept(char c) {
    skip_space();
    if (peek() != c || position_ == end_) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (accept(c)) return;
    fail(position_, in_quotes(std::string(1, c)) + " is missing in the header");
  }

  void parse_item() {
    skip_space();
    const uint64_t key_at = position_;
    const std::string_view key = parse_string();
    std::optional<uint64_t>* value_at = key == "descr"           ? &descr_at_
                                        : key == "fortran_order" ? &order_at_
                                        : key == "shape"         ? &shape_at_
                                                                 : nullptr;
    if (value_at == nullptr) fail(key_at, "unknown key " + in_quotes(key) + " in the header");
    if (*value_at) fail(key_at, "the key " + in_quotes(key) + " is repeated in the header");
    expect(':');
    skip_space();
    *value_at = position_;
    if (value_at == &descr_at_) parse_type();
    if (value_at == &order_at_) parse_order();
    if (value_at == &shape_at_) parse_shape();
  }

  std::string_view parse_string() {
    const uint64_t start = position_ + 1;
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(position_, "a quoted text is missing in the header");
    for (++position_; position_ < end_; ++position_) {
      if (bytes_[position_] == '\\') fail(position_, "an escape in a text of the header");
      if (bytes_[position_] == quote) return bytes_.substr(start, position_++ - start);
    }
    fail(end_, "a text in the header has no end");
  }

  /// For example '<f8', '|S9' or '>U5': byte order (this machine's if absent), kind, and
  /// bytes (for U: characters).
  void parse_type() {
    const uint64_t start = position_;
    if (peek() == '[') fail(start, "structured types are not supported");
    if (peek() == '(') fail(start, "subarray types are not supported");
    const std::string_view text = parse_string();
    std::string_view rest = text;
    if (!rest.empty() && std::string_view("<>=|").find(rest[0]) != std::string_view::npos) {
      header_.swapped = rest[0] == (kNativeByteOrder == '<' ? '>' : '<');
      rest.remove_prefix(1);
    }
    if (rest == "O") fail(start, "object arrays are not supported");
    header_.kind = rest.empty() ? '\0' : rest[0];
    const std::optional<int64_t> size = rest.empty() ? std::nullopt : parse_number(rest.substr(1));
    if (size && !__builtin_mul_overflow(*size, header_.kind == 'U' ? 4 : 1, &header_.item_size) &&
        is_npy_type(header_.kind, header_.item_size)) {
      return;
    }
    fail(start, "the type " + in_quotes(text) + " is not supported");
  }

  static std::optional<int64_t> parse_number(std::string_view digits) {
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
    int64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, c - '0', &value)) {
        return std::nullopt;
      }
    }
    return value;
  }

  void parse_order() {
    const std::string_view rest = bytes_.substr(position_, end_ - position_);
    header_.fortran_order = rest.substr(0, 4) == "True";
    if (!header_.fortran_order && rest.substr(0, 5) != "False") {
      fail(position_, "'fortran_order' must be True or False");
    }
    position_ += header_.fortran_order ? 4 : 5;
  }

  /// A tuple: (), (3,), (3, 4) or (3, 4,).
  void parse_shape() {
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail(position_, "',' is missing in 'shape'");
      if (header_.shape.size() == kMaxNpyDimensions) fail(position_, "too many dimensions");
      const uint64_t start = position_;
      while (peek() >= '0' && peek() <= '9') ++position_;
      const auto dimension = parse_number(bytes_.substr(start, position_ - start));
      if (!dimension) fail(start, "no dimension, or one beyond 63 bits, in 'shape'");
      header_.shape.push_back(*dimension);
      comma = accept(',');
    }
    if (header_.shape.size() == 1 && !comma) fail(position_ - 1, "',' is missing in 'shape'");
  }

  std::string_view bytes_;
  uint64_t position_;
  uint64_t end_;
  const std::string& source_;
  NpyHeader& header_;
  std::optional<uint64_t> descr_at_;
  std::optional<uint64_t> order_at_;
  std::optional<uint64_t> shape_at_;
};

/// Where the dict starts and the data begins.
struct Extent {
  uint64_t start = 0;
  uint64_t end = 0;
};

Extent header_extent(std::string_view bytes, const std::string& source) {
  const std::string_view magic = bytes.substr(0, kMagic.size());
  if (magic != kMagic) {
    if (magic == kMagic.substr(0, magic.size())) {
      throw InputError::at_byte(source, bytes.size(), "cut short within the NPY header");
    }
    throw InputError::at_byte(source, 0, "not an NPY file");
  }
  const auto need = [&](uint64_t size) {
    if (bytes.size() >= size) return;
    throw InputError::at_byte(source, bytes.size(), "cut short within the NPY header");
  };
  need(kVersionEnd);
  const int major = static_cast<uint8_t>(bytes[6]);
  const int minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw InputError::at_byte(
        source, 6,
        "NPY version " + std::to_string(major) + "." + std::to_string(minor) + " is not supported");
  }
  const uint64_t start = kVersionEnd + (major == 1 ? 2 : 4);
  need(start);
  const uint64_t length = major == 1 ? load_little_endian<uint16_t>(bytes, kVersionEnd)
                                     : load_little_endian<uint32_t>(bytes, kVersionEnd);
  if (start + length > kMaxNpyHeaderBytes) {
    throw InputError::at_byte(
        source, kVersionEnd,
        "a header of " + std::to_string(length) + " bytes is too long to be true");
  }
  need(start + length);
  return {start, start + length};
}

std::string tuple_text(const std::vector<int64_t>& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& source, int64_t max_bytes) {
  const Extent extent = header_extent(bytes, source);
  NpyHeader header;
  header.data_offset = extent.end;
  DictParser dict(bytes, extent.start, extent.end, source, header);
  dict.parse();
  const std::optional<int64_t> elements = count_elements(header.shape);
  if (!elements || __builtin_mul_overflow(*elements, header.item_size, &header.data_bytes) ||
      header.data_bytes > max_bytes) {
    throw InputError::at_byte(source, dict.shape_offset(),
                              "an array of shape " + tuple_text(header.shape) +
                                  " is larger than the limit of " + std::to_string(max_bytes) +
                                  " bytes");
  }
  return header;
}

std::string format_npy_header(const NpyHeader& header) {
  constexpr uint64_t kAlignment = 64;
  const bool text = header.kind == 'U';
  const bool ordered = header.kind == 'U' || (header.kind != 'S' && header.item_size > 1);
  std::string dict = "{'descr': '";
  dict += ordered ? kNativeByteOrder : '|';
  dict += header.kind + std::to_string(text ? header.item_size / 4 : header.item_size);
  dict += std::string("', 'fortran_order': ") + (header.fortran_order ? "True" : "False") +
          ", 'shape': " + tuple_text(header.shape) + ", }";
  const uint64_t unpadded = kVersionEnd + 2 + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';

  std::string bytes(kMagic);
  bytes += {'\x01', '\x00'};
  append_little_endian(bytes, static_cast<uint16_t>(dict.size()));
  return bytes + dict;
}

bool is_npy_type(char kind, int64_t item_size) {
  const bool power = item_size == 1 || item_size == 2 || item_size == 4 || item_size == 8;
  switch (kind) {
    case 'b':
      return item_size == 1;
    case 'i':
    case 'u':
      return power;
    case 'f':
      return power && item_size > 1;
    case 'S':
      return item_size > 0;
    case 'U':
      return item_size > 0 && item_size % 4 == 0;
    default:
      return false;
  }
}

}  // namespace floydnet
