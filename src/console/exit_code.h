// Ends a command with a code of its own.
#pragma once

namespace floydnet {

/// Thrown by a command that ends with a code of its own, with all said that there is to say.
struct ExitCode {
  int code;
};

}  // namespace floydnet
