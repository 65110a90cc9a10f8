// Instances and tours are declared in floydnet/tsp.h.
#pragma once

#include "floydnet/tsp.h"
