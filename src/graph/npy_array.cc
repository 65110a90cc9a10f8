#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/shape.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "graph/npy_header.h"

namespace floydnet {
namespace {

template <typename T>
constexpr char kind_of() {
  if (std::is_floating_point_v<T>) return 'f';
  return std::is_signed_v<T> ? 'i' : 'u';
}

/// Whether `value` has no more significant bits than T holds.
template <typename T>
bool is_exact(uint64_t value) {
  constexpr int kDigits = std::numeric_limits<T>::digits;
  return value == 0 || kDigits >= 64 || (value >> __builtin_ctzll(value)) >> kDigits == 0;
}

/// Converts, and tells whether the value fits; see NpyArray::as. Signed char is i1 here, a number.
// NOLINTBEGIN(bugprone-signed-char-misuse)
template <typename To, typename From>
bool convert(From value, To& result) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    result = static_cast<To>(value);
    return static_cast<From>(result) == value && (result < 0) == (value < 0);
  } else if constexpr (std::is_integral_v<From>) {
    const auto bits = static_cast<uint64_t>(value);
    result = static_cast<To>(value);
    return is_exact<To>(value < 0 ? -bits : bits);
  } else if constexpr (std::is_integral_v<To>) {
    // The bounds are powers of two and thus exact; a NaN fails the comparisons.
    const auto limit = static_cast<From>(std::ldexp(1.0, std::numeric_limits<To>::digits));
    const From lowest = std::is_signed_v<To> ? -limit : From{0};
    if (!(value >= lowest && value < limit && value == std::trunc(value))) return false;
    result = static_cast<To>(value);
    return true;
  } else {
    if (std::isfinite(value) && std::abs(value) > std::numeric_limits<To>::max()) return false;
    result = static_cast<To>(value);
    return true;
  }
}
// NOLINTEND(bugprone-signed-char-misuse)

/// IEEE 754 binary16: a sign, five bits of exponent, ten of fraction.
struct Half {
  uint16_t bits;

  explicit operator float() const {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    float magnitude = 0;
    if (exponent == 31) {
      magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                                : std::numeric_limits<float>::quiet_NaN();
    } else if (exponent == 0) {
      magnitude = std::ldexp(static_cast<float>(fraction), -24);
    } else {
      magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
};

template <typename Stored>
auto value_of(Stored stored) {
  if constexpr (std::is_same_v<Stored, Half>) {
    return static_cast<float>(stored);
  } else if constexpr (std::is_same_v<Stored, bool>) {
    return static_cast<uint8_t>(stored);
  } else {
    return stored;
  }
}

template <typename Stored>
Stored load(const char* bytes) {
  if constexpr (std::is_same_v<Stored, bool>) {
    return *bytes != 0;  // NumPy may store any byte for True
  } else {
    Stored stored;
    std::memcpy(&stored, bytes, sizeof(Stored));
    return stored;
  }
}

template <typename Stored, typename T>
std::vector<T> convert_all(const NpyArray& array) {
  std::vector<T> result(array.bytes.size() / sizeof(Stored));
  for (size_t i = 0; i < result.size(); ++i) {
    const auto value = value_of(load<Stored>(array.bytes.data() + i * sizeof(Stored)));
    if (!convert(value, result[i])) {
      throw InputError(fmt::format("array of {}: element {}: {} does not fit {}{}", array.type(), i,
                                   value, kind_of<T>(), sizeof(T)));
    }
  }
  return result;
}

void check_shape(size_t values, const std::vector<int64_t>& shape) {
  const std::optional<int64_t> elements = count_elements(shape);
  if (elements && static_cast<uint64_t>(*elements) == values) return;
  throw std::invalid_argument(std::to_string(values) +
                              " values do not fill the shape of the array");
}

void append_utf8(std::string& text, uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Of one element of a U array.
std::string utf8(const char* item, int64_t item_size) {
  std::vector<uint32_t> codes(static_cast<size_t>(item_size) / 4);
  std::memcpy(codes.data(), item, static_cast<size_t>(item_size));
  while (!codes.empty() && codes.back() == 0) codes.pop_back();
  std::string text;
  for (const uint32_t code : codes) {
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
      throw InputError("array of text: " + std::to_string(code) + " is not a Unicode character");
    }
    append_utf8(text, code);
  }
  return text;
}

}  // namespace

int64_t NpyArray::elements() const {
  const std::optional<int64_t> count = count_elements(shape);
  if (!count) throw std::invalid_argument("the shape of the array is impossible");
  return *count;
}

std::string NpyArray::type() const {
  return kind + std::to_string(kind == 'U' ? item_size / 4 : item_size);
}

bool NpyArray::operator==(const NpyArray& other) const {
  return kind == other.kind && item_size == other.item_size && shape == other.shape &&
         bytes == other.bytes;
}

template <typename T>
std::vector<T> NpyArray::as() const {
  const std::string stored = type();
  if (stored == "b1") return convert_all<bool, T>(*this);
  if (stored == "i1") return convert_all<int8_t, T>(*this);
  if (stored == "i2") return convert_all<int16_t, T>(*this);
  if (stored == "i4") return convert_all<int32_t, T>(*this);
  if (stored == "i8") return convert_all<int64_t, T>(*this);
  if (stored == "u1") return convert_all<uint8_t, T>(*this);
  if (stored == "u2") return convert_all<uint16_t, T>(*this);
  if (stored == "u4") return convert_all<uint32_t, T>(*this);
  if (stored == "u8") return convert_all<uint64_t, T>(*this);
  if (stored == "f2") return convert_all<Half, T>(*this);
  if (stored == "f4") return convert_all<float, T>(*this);
  if (stored == "f8") return convert_all<double, T>(*this);
  throw InputError("array of " + stored + ": it holds no numbers");
}

std::vector<std::string> NpyArray::strings() const {
  if (!is_npy_type(kind, item_size) || (kind != 'S' && kind != 'U')) {
    throw InputError("array of " + type() + ": it holds no text");
  }
  std::vector<std::string> result;
  result.reserve(bytes.size() / static_cast<size_t>(item_size));
  for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(item_size)) {
    const char* item = bytes.data() + at;
    if (kind == 'U') {
      result.push_back(utf8(item, item_size));
    } else {
      std::string_view text(item, static_cast<size_t>(item_size));
      text = text.substr(0, text.find_last_not_of('\0') + 1);
      result.emplace_back(text);
    }
  }
  return result;
}

template <typename T>
NpyArray NpyArray::from(const std::vector<T>& values, std::vector<int64_t> shape) {
  check_shape(values.size(), shape);
  NpyArray array;
  array.kind = kind_of<T>();
  array.item_size = sizeof(T);
  array.shape = std::move(shape);
  array.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

NpyArray NpyArray::from_strings(const std::vector<std::string>& values,
                                std::vector<int64_t> shape) {
  check_shape(values.size(), shape);
  size_t width = 1;
  for (const std::string& value : values) {
    if (!value.empty() && value.back() == '\0') {
      throw std::invalid_argument("a text in an S array cannot end in a zero byte");
    }
    width = std::max(width, value.size());
  }
  NpyArray array;
  array.kind = 'S';
  array.item_size = static_cast<int64_t>(width);
  array.shape = std::move(shape);
  array.bytes.resize(values.size() * width, '\0');
  for (size_t i = 0; i < values.size(); ++i) {
    std::copy(values[i].begin(), values[i].end(),
              array.bytes.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return array;
}

#define FLOYDNET_INSTANTIATE(T)                 \
  template std::vector<T> NpyArray::as() const; \
  template NpyArray NpyArray::from(const std::vector<T>&, std::vector<int64_t>);
FLOYDNET_INSTANTIATE(int8_t)
FLOYDNET_INSTANTIATE(int16_t)
FLOYDNET_INSTANTIATE(int32_t)
FLOYDNET_INSTANTIATE(int64_t)
FLOYDNET_INSTANTIATE(uint8_t)
FLOYDNET_INSTANTIATE(uint16_t)
FLOYDNET_INSTANTIATE(uint32_t)
FLOYDNET_INSTANTIATE(uint64_t)
FLOYDNET_INSTANTIATE(float)
FLOYDNET_INSTANTIATE(double)
#undef FLOYDNET_INSTANTIATE

}  // namespace floydnet
