#include "tasks/tsp/batch/inputs.h"

#include <filesystem>
#include <iterator>

#include "tasks/tsp/data/problem_file.h"
#include "tasks/tsp/dataset/solved_set.h"

namespace floydnet::tsp {
namespace {

std::vector<Problem> read_input(const std::filesystem::path& path, std::uint64_t seed) {
  if (path.extension() != ".npz") return read_problems(path.string(), seed);
  return problems_of(read_solved_set(path.string()), path.stem().string());
}

}  // namespace

std::vector<Problem> read_inputs(const std::vector<std::string>& paths, std::uint64_t seed) {
  std::vector<Problem> problems;
  for (const std::string& path : paths) {
    std::vector<Problem> more = read_input(path, seed);
    problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  }
  return problems;
}

}  // namespace floydnet::tsp
