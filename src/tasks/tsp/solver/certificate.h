// A proof that a tour is optimal, which can be checked without a linear program.
#pragma once

#include <string>
#include <string_view>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// The file's text (JSON); see docs/tsp.md for what it contains.
struct Certificate {
  std::string text;
};

/// Throws InputError that says what does not hold unless the certificate proves `length` optimal;
/// gives the optimal tour.
Tour verify_certificate(const Instance& instance, const std::string& text);

constexpr const char* kCertificateFormat = "floydnet tsp certificate 1";
/// What a certificate says its weights are: a hash of all of them, in hexadecimal.
std::string weights_fingerprint(const Instance& instance);
/// The last member of the JSON object: the CRC-32 of all text before it.
std::string certificate_end(std::string_view text_before);

}  // namespace floydnet::tsp
