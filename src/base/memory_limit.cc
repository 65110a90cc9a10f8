#include "base/memory_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr double kGigabyte = 1e9;

/// A control group's limit; infinity if there is none ("max" in version 2, a huge number in 1).
double limit_in(const char* path) {
  double bytes = 0;
  std::ifstream file(path);
  return file >> bytes && bytes > 0 ? bytes : std::numeric_limits<double>::infinity();
}

}  // namespace

double machine_memory() {
  const double physical =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::min({physical, limit_in("/sys/fs/cgroup/memory.max"),
                   limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

void require_memory(const std::string& what, double bytes) {
  const double has = machine_memory();
  if (bytes <= has) return;
  throw InputError(fmt::format("{} needs {:.1f} GB, but the machine has {:.1f} GB", what,
                               bytes / kGigabyte, has / kGigabyte));
}

}  // namespace floydnet
