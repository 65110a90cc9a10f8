// Instances from files of any of the formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// A TSPLIB file, a text file of neural solvers, or a .npy file; a folder gives all of its .npy
/// files. Instances are named after the file. `seed` shuffles the cities of .npy files.
std::vector<Problem> read_problems(const std::string& path, std::uint64_t seed);

/// A TSPLIB tour of a problem.
Tour read_tour(const std::string& path, int cities);

}  // namespace floydnet::tsp
