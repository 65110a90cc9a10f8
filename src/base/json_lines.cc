#include "base/json_lines.h"

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/json_text.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet {

std::vector<nlohmann::json> read_json_lines(const std::string& path) {
  constexpr uint64_t kMaxLinesBytes = uint64_t{4} << 30;
  std::vector<nlohmann::json> values;
  if (!std::filesystem::exists(path)) return values;
  std::string text = read_file(path, kMaxLinesBytes);
  const size_t last_end = text.rfind('\n');
  const size_t whole = last_end == std::string::npos ? 0 : last_end + 1;
  if (whole != text.size()) {
    text.resize(whole);
    write_file_atomically(path, text);
  }
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    values.push_back(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false));
    if (!values.back().is_object()) {
      throw InputError::at_line(path, values.size(),
                                "not a result; remove it to compute it again: " + in_quotes(line));
    }
    begin = end + 1;
  }
  return values;
}

void append_json_line(const std::string& path, const nlohmann::json& value) {
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << json_text(value) + "\n" << std::flush;
  if (!file) throw InputError::in(path, "cannot be written");
}

}  // namespace floydnet
