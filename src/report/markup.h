// Text made fit for HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace floydnet {

/// For content and for attributes in double quotes. Control characters, most of which XML has no
/// way to write, become blanks, and what is not UTF-8 becomes U+FFFD.
std::string escaped(std::string_view text);
/// The same, but ends of lines stay as they are.
std::string escaped_lines(std::string_view text);

}  // namespace floydnet
