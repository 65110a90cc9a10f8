// Verdicts as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "floydnet/wl.h"

namespace floydnet {

/// "different", "same", or "refused".
std::string wl_verdict_word(const WlVerdict& verdict);
/// One line: "different: 1 round, 7 colours, 8192 tuples, 0.5 MiB, 0.002 s".
std::string wl_verdict_text(const WlVerdict& verdict);
nlohmann::json wl_verdict_json(const WlVerdict& verdict);

}  // namespace floydnet
