// TSPLIB: instances (.tsp) and tours (.tour, .opt.tour).
#pragma once

#include <string>
#include <string_view>

#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// A symmetric instance. Throws InputError with the line for everything that is not understood:
/// unknown keywords and types, asymmetric weights, weights that are no integers in [0, 2^31).
Problem parse_tsplib(std::string_view text, const std::string& source);

/// The same instance again; explicit weights as UPPER_ROW. Throws std::invalid_argument for real
/// distances, which TSPLIB does not have.
std::string format_tsplib(const Problem& problem);

/// The first tour of the file; check_tour has passed for so many cities.
Tour parse_tour(std::string_view text, int cities, const std::string& source);

/// `comment` is one line.
std::string format_tour(const Tour& tour, const std::string& name, const std::string& comment);

}  // namespace floydnet::tsp
