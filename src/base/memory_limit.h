// Whether something fits into memory, known before it is begun.
#pragma once

#include <string>

namespace floydnet {

/// In bytes: what the machine has, or what its container may use.
double machine_memory();

/// Throws InputError if so many bytes are more than that.
void require_memory(const std::string& what, double bytes);

}  // namespace floydnet
