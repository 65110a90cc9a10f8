// How a proof is written; floydnet/tsp.h declares what checks it.
#pragma once

#include <string>
#include <string_view>

#include "floydnet/tsp.h"

namespace floydnet::tsp {

constexpr const char* kCertificateFormat = "floydnet tsp certificate 1";
/// What a certificate says its weights are: a hash of all of them, in hexadecimal.
std::string weights_fingerprint(const Instance& instance);
/// The last member of the JSON object: the CRC-32 of all text before it.
std::string certificate_end(std::string_view text_before);

}  // namespace floydnet::tsp
