// Errors that others published on the counting benchmark's test split.
#pragma once

#include "record/metrics.h"
#include "record/table.h"

namespace floydnet::counting {

/// A table of ours, by metric ("graph/cycle5"), beside theirs where there are any.
record::Table comparison_table(const record::Metrics& metrics);

}  // namespace floydnet::counting
