#include "tasks/tsp/data/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

template <typename T>
std::optional<T> whole_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  if (error != std::errc() || end != stop) return std::nullopt;
  return value;
}

/// An integer as it stands, or a real number without a fraction.
std::optional<std::int64_t> exact_integer(std::string_view text) {
  if (const auto integer = whole_number<std::int64_t>(text)) return integer;
  const auto real = whole_number<double>(text);
  constexpr double kExact = 0x1p53;
  if (!real || !(std::abs(*real) <= kExact) || *real != std::trunc(*real)) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

}  // namespace

Scanner::Scanner(std::string_view text, std::string source, std::uint64_t first_line)
    : text_(text), source_(std::move(source)), line_(first_line), word_line_(first_line) {}

bool Scanner::has_word() {
  for (; at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n'); ++at_) {
    if (text_[at_] == '\n') ++line_;
  }
  return at_ < text_.size();
}

std::string_view Scanner::peek() {
  has_word();
  std::size_t end = at_;
  while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '\n') ++end;
  return text_.substr(at_, end - at_);
}

std::string_view Scanner::word() {
  const std::string_view found = peek();
  word_line_ = line_;
  at_ += found.size();
  return found;
}

void Scanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

std::string_view Scanner::keyword() {
  const std::string_view whole = peek();
  const std::string_view found = whole.substr(0, whole.find(':'));
  word_line_ = line_;
  at_ += found.size();
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == ':') ++at_;
  return found;
}

std::string_view Scanner::rest_of_line() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view rest = text_.substr(at_, end - at_);
  at_ = end;
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  return rest;
}

std::string_view Scanner::wanted(std::string_view what) {
  const std::string_view found = word();
  if (found.empty()) fail(fmt::format("the text ends where {} is wanted", what));
  return found;
}

double Scanner::real(std::string_view what) {
  const std::string_view found = wanted(what);
  const auto value = whole_number<double>(found);
  if (!value || !std::isfinite(*value)) fail(fmt::format("{} is not {}", in_quotes(found), what));
  return *value;
}

std::int64_t Scanner::integer(std::string_view what, std::int64_t low, std::int64_t high) {
  const std::string_view found = wanted(what);
  const auto value = exact_integer(found);
  if (!value || *value < low || *value > high) {
    fail(fmt::format("{} is not {}, an integer from {} to {}", in_quotes(found), what, low, high));
  }
  return *value;
}

void Scanner::fail(const std::string& problem) const {
  throw InputError::at_line(source_, word_line_, problem);
}

}  // namespace floydnet::tsp
