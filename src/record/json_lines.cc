#include "record/json_lines.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "base/file.h"
#include "base/json_text.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::record {

nlohmann::json number_or_null(double number) {
  return std::isfinite(number) ? nlohmann::json(number) : nlohmann::json();
}

double number_or_nan(const nlohmann::json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

size_t for_each_line(std::string_view text,
                     const std::function<bool(uint64_t number, std::string_view line)>& use) {
  size_t begin = 0;
  for (uint64_t number = 1;; ++number) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return begin;
    const std::string_view line = text.substr(begin, end - begin);
    const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (!blank && !use(number, line)) return begin;
    begin = end + 1;
  }
}

JsonLines::JsonLines(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "ae")) {
  if (file_ == nullptr) throw InputError::in(path_, std::strerror(errno));
}

JsonLines::~JsonLines() { std::fclose(file_); }

bool JsonLines::add(const nlohmann::json& line) {
  const std::string text = json_text(line) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0) {
    return true;
  }
  std::clearerr(file_);
  return false;
}

void read_json_lines(const std::string& path,
                     const std::function<void(const nlohmann::json& object)>& use) {
  constexpr uint64_t kMaxBytes = uint64_t{4} << 30;
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path, kMaxBytes);
  const size_t whole = for_each_line(text, [&](uint64_t number, std::string_view line) {
    const auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    bool usable = object.is_object();
    try {
      if (usable) use(object);
    } catch (const std::exception&) {
      usable = false;
    }
    if (!usable) {
      throw InputError::at_line(path, number,
                                "not a result; remove it to compute it again: " + in_quotes(line));
    }
    return true;
  });
  if (whole != text.size()) write_file_atomically(path, text.substr(0, whole));
}

void append_json_line(const std::string& path, const nlohmann::json& line) {
  if (!JsonLines(path).add(line)) throw InputError::in(path, "cannot be written");
}

}  // namespace floydnet::record
