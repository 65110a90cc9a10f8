// The exact solver is declared in floydnet/tsp.h.
#pragma once

#include "floydnet/tsp.h"
