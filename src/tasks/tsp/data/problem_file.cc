#include "tasks/tsp/data/problem_file.h"

#include <filesystem>
#include <iterator>

#include "base/file.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "tasks/tsp/data/npy_folder.h"
#include "tasks/tsp/data/text_format.h"
#include "tasks/tsp/data/tsplib.h"

namespace floydnet::tsp {
namespace {

constexpr std::uint64_t kMaxTextBytes = std::uint64_t{2} << 30;

/// Instances of neural solvers begin with a number, TSPLIB's with a keyword.
bool begins_with_number(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos &&
         std::string_view("+-.0123456789").find(text[first]) != std::string::npos;
}

std::vector<Problem> read_text(const std::string& path, const std::string& name) {
  const std::string text = read_file(path, kMaxTextBytes);
  if (begins_with_number(text)) return parse_text_format(text, name, path);
  std::vector<Problem> problems;
  problems.push_back(parse_tsplib(text, path));
  problems.back().name = name;
  return problems;
}

}  // namespace

std::vector<Problem> read_problems(const std::string& path, std::uint64_t seed) {
  const std::filesystem::path file = path;
  const std::string name = file.stem().string();
  if (!std::filesystem::is_directory(file)) {
    return file.extension() == ".npy" ? problems_of_array(read_npy(path), seed, name, path)
                                      : read_text(path, name);
  }
  std::vector<Problem> problems;
  for (const std::string& inner : npy_files(path)) {
    std::vector<Problem> more = read_problems(inner, seed);
    problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  }
  if (problems.empty()) throw InputError::in(path, "a folder without .npy files");
  return problems;
}

Tour read_tour(const std::string& path, int cities) {
  return parse_tour(read_file(path, kMaxTextBytes), cities, path);
}

}  // namespace floydnet::tsp
