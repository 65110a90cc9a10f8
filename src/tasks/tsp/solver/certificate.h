// A proof that a tour is optimal, which can be checked without a linear program.
#pragma once

#include <string>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// The file's text (JSON); see docs/tsp.md for what it contains.
struct Certificate {
  std::string text;
};

/// Throws InputError that says what does not hold unless the certificate proves `length` optimal;
/// gives the optimal tour.
Tour verify_certificate(const Instance& instance, const std::string& text);

}  // namespace floydnet::tsp
