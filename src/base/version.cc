#include "floydnet/version.h"

namespace floydnet {

const char* version() { return FLOYDNET_VERSION; }

}  // namespace floydnet
