// Text from a file, made fit for a one-line message.
#pragma once

#include <string>
#include <string_view>

namespace floydnet {

/// In single quotes; bytes that are not printable ASCII as \xNN, and cut after 60 of them.
std::string in_quotes(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace floydnet
