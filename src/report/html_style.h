// How the page looks, and what its script does.
#pragma once

#include <string>

namespace floydnet::report {

std::string page_css();

/// Shows, where a pointer is over a plot, the values there; the page is whole without it.
extern const char* const kPageScript;

}  // namespace floydnet::report
