// Writes down what a search proved.
#pragma once

#include "tasks/tsp/solver/branch_and_cut.h"
#include "tasks/tsp/solver/certificate.h"

namespace floydnet::tsp {

/// Of a complete search for shorter tours.
Certificate certificate_of(const Instance& instance, const BranchAndCut& search);
/// With at most three cities there is one tour, and nothing else to prove.
Certificate trivial_certificate(const Instance& instance, const Tour& tour);

}  // namespace floydnet::tsp
