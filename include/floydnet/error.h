/// \file
/// How floydnet reports what went wrong.
///
/// Expected failures (a file, a flag, a size) throw InputError, whose text is one line that names
/// the place and, where there is one, the remedy. Misuse of the API (a wrong shape, an index out of
/// range) throws std::invalid_argument with what was given and what was wanted.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "floydnet/export.h"

namespace floydnet {

/// Bad input from outside the program. The command line prints what() and exits with 1.
class FLOYDNET_EXPORT InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// "<source>: byte <offset>: <problem>".
  static InputError at_byte(const std::string& source, uint64_t offset, const std::string& problem);
  /// "<source>: line <line>: <problem>", lines counted from 1.
  static InputError at_line(const std::string& source, uint64_t line, const std::string& problem);
  /// "<source>: <problem>".
  static InputError in(const std::string& source, const std::string& problem);
};

}  // namespace floydnet
