/// \file
/// What the shared library shows to the outside. Everything else in it is hidden.
#pragma once

#define FLOYDNET_EXPORT __attribute__((visibility("default")))
