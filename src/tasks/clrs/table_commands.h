// floydnet clrs.
#pragma once

#include <CLI/App.hpp>

namespace floydnet::clrs {

void add_clrs_command(CLI::App& app);

}  // namespace floydnet::clrs
