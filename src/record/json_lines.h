// Files that grow by a line of JSON each time something happens, and survive an interruption.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace floydnet::record {

/// JSON has no NaN and no infinity.
nlohmann::json number_or_null(double number);
double number_or_nan(const nlohmann::json& value);

/// Calls `use` for each line that is not blank, numbered from 1, until it returns false. What comes
/// after the last end of a line was cut off by an interruption, and is left out. Gives the bytes up
/// to where it ended.
size_t for_each_line(std::string_view text,
                     const std::function<bool(uint64_t number, std::string_view line)>& use);

/// Appends to a file. Each line is on its way to the disk when add() returns.
class JsonLines {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit JsonLines(std::string path);
  ~JsonLines();
  JsonLines(const JsonLines&) = delete;
  JsonLines& operator=(const JsonLines&) = delete;

  const std::string& path() const { return path_; }
  /// False if the line could not be written.
  bool add(const nlohmann::json& line);

 private:
  std::string path_;
  std::FILE* file_;
};

/// Calls `use` for the object of each line of a file of results, in which what was cut off is
/// removed; for none if there is no file. InputError with the line if it is no JSON object, or if
/// `use` throws since it lacks something.
void read_json_lines(const std::string& path,
                     const std::function<void(const nlohmann::json& object)>& use);

/// Throws InputError if it cannot be written.
void append_json_line(const std::string& path, const nlohmann::json& line);

}  // namespace floydnet::record
