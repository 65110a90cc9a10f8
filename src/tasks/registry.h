// The tasks that the program has.
#pragma once

#include <vector>

#include "tasks/entry.h"

namespace floydnet {

const std::vector<TaskEntry>& all_tasks();

}  // namespace floydnet
