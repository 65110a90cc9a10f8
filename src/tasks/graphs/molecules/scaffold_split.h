// OGB's scaffold split: molecules of one scaffold are in one part.
#pragma once

#include <string>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// Scaffolds with many molecules come first, those of equal number with the last first molecule
/// first. Each goes to the training part if it still fits within 80 %, else to the validation part
/// if both fit within 90 %, else to the test part.
std::vector<Split> scaffold_split(const std::vector<std::string>& keys);

}  // namespace floydnet::graphs
