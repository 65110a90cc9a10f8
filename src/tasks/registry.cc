#include "tasks/registry.h"

// One line a task: the name of its folder, which is that of its namespace.
// clang-format off
#define FLOYDNET_TASKS(TASK) \
  TASK(clrs)                 \
  TASK(counting)             \
  TASK(tsp)                  \
  TASK(graphs)               \
  TASK(brec)
// clang-format on

#define FLOYDNET_DECLARE(task) \
  namespace floydnet::task {   \
  TaskEntry entry();           \
  }
FLOYDNET_TASKS(FLOYDNET_DECLARE)

namespace floydnet {

const std::vector<TaskEntry>& all_tasks() {
#define FLOYDNET_ENTRY(task) task::entry(),
  static const std::vector<TaskEntry> tasks = {FLOYDNET_TASKS(FLOYDNET_ENTRY)};
  return tasks;
}

}  // namespace floydnet
