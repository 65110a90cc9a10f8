// Which of this machine's addresses reaches another machine.
#pragma once

#include <cstdint>
#include <string>

namespace floydnet::train {

/// The address of this machine by which `host` is reached: that of a connected UDP socket, which
/// sends nothing. Throws InputError if the name cannot be resolved or there is no route.
std::string address_towards(const std::string& host, int64_t port);

/// An address, not a name.
bool is_loopback(const std::string& address);

}  // namespace floydnet::train
