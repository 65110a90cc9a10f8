#include "tasks/tsp/batch/inputs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tasks/tsp/data/problem_file.h"
#include "tasks/tsp/dataset/solved_set.h"

namespace floydnet::tsp {
namespace {

namespace fs = std::filesystem;

std::vector<Problem> read_input(const fs::path& path, std::uint64_t seed) {
  if (path.extension() != ".npz") return read_problems(path.string(), seed);
  return problems_of(read_solved_set(path.string()), path.stem().string());
}

/// The sets in a folder that `floydnet data tsp` has made; none in other folders.
std::vector<fs::path> sets_in(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".npz") sets.push_back(entry->path());
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

}  // namespace

std::vector<Problem> read_inputs(const std::vector<std::string>& paths, std::uint64_t seed) {
  std::vector<Problem> problems;
  for (const std::string& path : paths) {
    std::vector<fs::path> files = sets_in(path);
    if (files.empty()) files.emplace_back(path);
    for (const fs::path& file : files) {
      std::vector<Problem> more = read_input(file, seed);
      problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                      std::make_move_iterator(more.end()));
    }
  }
  return problems;
}

}  // namespace floydnet::tsp
