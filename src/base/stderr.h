// Standard error, as what may be missing.
#pragma once

#include <string_view>

namespace floydnet {

/// Writes to standard error at once. A full disk, a closed descriptor or a broken pipe there is no
/// reason to end anything, so errors are passed over.
void say(std::string_view text);

/// Gives descriptors 0, 1 and 2 a place if they are closed, so that no file opened later takes
/// theirs. Reading finds nothing, output fails, what is said is lost.
void open_standard_streams();

}  // namespace floydnet
