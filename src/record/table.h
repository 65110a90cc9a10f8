// Tables of results, which floydnet/results.h declares, for the report page and results.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "floydnet/results.h"

namespace floydnet::record {

/// {"title", "columns", "rows"}; an empty cell is null, and so is a number that is not finite.
nlohmann::json to_json(const Table& table);

/// The cells of text_table as a Markdown table; the title stands above it.
std::string markdown_table(const Table& table);

}  // namespace floydnet::record
