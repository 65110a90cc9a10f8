// The text format of neural solvers: one instance a line, x1 y1 ... xn yn output t1 .. tn t1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// Instances with real distances, named NAME-1, NAME-2 and so on; blank lines are passed over. The
/// word "output" and the tour after it, if there, are the reference.
std::vector<Problem> parse_text_format(std::string_view text, const std::string& name,
                                       const std::string& source);

/// One line with its end.
std::string format_text_line(const std::vector<Point>& points, const Tour& tour);

}  // namespace floydnet::tsp
