// Values of columns: of which kind they are, how large, how many of each class.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {

/// Rows first to last - 1, for each of some graphs.
using RowRanges = std::vector<std::pair<int64_t, int64_t>>;
RowRanges training_rows(const GraphSet& set, Level level, const std::vector<int64_t>& graphs);

/// Missing values are left out; a deviation of 0 is given as 1.
Scale scale_of(const Column& column, const RowRanges& rows);
/// Of each column of integers, or of reals that are whole; -1 where all are missing.
std::vector<int64_t> largest_values(const Column& column);
/// See Target::counts.
std::vector<double> class_counts(const Column& column, const Target& target, const RowRanges& rows);
/// With those that are not listed, if the target says what they are.
std::vector<double> class_counts(const GraphSet& set, const Target& target,
                                 const std::vector<int64_t>& graphs);
bool has_labels(const Column& column, const RowRanges& rows);

/// Reals are numbers unless all are 0 or 1; integers are classes, of which 0 and 1 are no and yes.
TargetKind kind_of(const Column& column);
/// InputError if there are values that a target of this kind cannot have.
void require_kind(const Column& column, TargetKind kind, const std::string& place);
/// InputError for a missing value, with the graph that has it.
void require_feature_values(const GraphSet& set, const Column& column, const std::string& source);

}  // namespace floydnet::graphs
