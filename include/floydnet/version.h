/// \file
/// The library's version.
#pragma once

#include "floydnet/export.h"

namespace floydnet {

constexpr int kVersionMajor = 0;
constexpr int kVersionMinor = 1;
constexpr int kVersionPatch = 0;

/// "0.1.0", of the library that is loaded; the constants are those of the header.
FLOYDNET_EXPORT const char* version();

}  // namespace floydnet
