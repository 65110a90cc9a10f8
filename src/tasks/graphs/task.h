// Learning and judging targets of a set of graphs.
#pragma once

#include <memory>

#include "tasks/graphs/config.h"
#include "train/task.h"

namespace floydnet::graphs {

/// Of a configuration whose data has been read.
std::unique_ptr<train::Task> make_graphs_task(const GraphsConfig& config);

}  // namespace floydnet::graphs
