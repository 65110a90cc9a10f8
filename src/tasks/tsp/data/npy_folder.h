// Instances in the published layout: {N:03d}.npy, points [count, N, 2] or weights [count, N, N].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "floydnet/graph_io.h"
#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

/// All instances of an array, named NAME-1, NAME-2 and so on. Cities stand there in the order of a
/// tour, which is taken as the reference; they are shuffled, by `seed` and place, so that no solver
/// profits from their order. Points that are integers have TSPLIB's EUC_2D distances, others real
/// ones. [count, 2, 2] are points.
std::vector<Problem> problems_of_array(const NpyArray& array, std::uint64_t seed,
                                       const std::string& name, const std::string& source);

/// The files of a folder that hold instances, by name.
std::vector<std::string> npy_files(const std::string& folder);

}  // namespace floydnet::tsp
