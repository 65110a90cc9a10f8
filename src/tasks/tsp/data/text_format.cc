#include "tasks/tsp/data/text_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "floydnet/error.h"
#include "tasks/tsp/data/scanner.h"

namespace floydnet::tsp {
namespace {

/// What stands after the word "output".
Tour read_reference(Scanner& scanner, int cities) {
  Tour tour;
  for (int i = 0; i < cities; ++i) {
    tour.push_back(static_cast<int>(scanner.integer("a city of the tour", 1, cities)) - 1);
  }
  const std::int64_t back = scanner.integer("the first city again", 1, cities);
  if (back - 1 != tour.front()) scanner.fail("the tour does not end where it began");
  if (scanner.has_word()) {
    scanner.fail(fmt::format("the tour is longer than {} cities and the way back", cities));
  }
  try {
    check_tour(tour, cities);
  } catch (const InputError& error) {
    scanner.fail(error.what());
  }
  return tour;
}

Problem read_line(Scanner scanner, std::string name) {
  Problem problem;
  problem.name = std::move(name);
  problem.metric = Metric::kReal;
  while (scanner.has_word() && scanner.peek() != "output") {
    const double x = scanner.real("a coordinate");
    problem.points.push_back({x, scanner.real("a coordinate")});
  }
  const std::size_t cities = problem.points.size();
  if (cities == 0 || cities > kMaxCities) {
    scanner.fail(fmt::format("{} cities; there may be 1 to {}", cities, kMaxCities));
  }
  if (!scanner.word().empty()) problem.reference = read_reference(scanner, problem.cities());
  return problem;
}

}  // namespace

std::vector<Problem> parse_text_format(std::string_view text, const std::string& name,
                                       const std::string& source) {
  std::vector<Problem> problems;
  std::uint64_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Scanner scanner(text.substr(begin, end - begin), source, line);
    if (scanner.has_word()) {
      problems.push_back(read_line(scanner, fmt::format("{}-{}", name, problems.size() + 1)));
    }
    begin = end + 1;
  }
  if (problems.empty()) {
    throw InputError::in(source, "no instances; wanted one a line: x1 y1 ... output t1 ... t1");
  }
  return problems;
}

std::string format_text_line(const std::vector<Point>& points, const Tour& tour) {
  std::string line;
  const auto out = std::back_inserter(line);
  for (const Point& point : points) fmt::format_to(out, "{} {} ", point.x, point.y);
  line += "output";
  for (const int city : tour) fmt::format_to(out, " {}", city + 1);
  fmt::format_to(out, " {}\n", tour.front() + 1);
  return line;
}

}  // namespace floydnet::tsp
