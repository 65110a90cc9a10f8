#include "floydnet/error.h"

namespace floydnet {

InputError InputError::at_byte(const std::string& source, uint64_t offset,
                               const std::string& problem) {
  return InputError(source + ": byte " + std::to_string(offset) + ": " + problem);
}

InputError InputError::at_line(const std::string& source, uint64_t line,
                               const std::string& problem) {
  return InputError(source + ": line " + std::to_string(line) + ": " + problem);
}

InputError InputError::in(const std::string& source, const std::string& problem) {
  return InputError(source + ": " + problem);
}

}  // namespace floydnet
