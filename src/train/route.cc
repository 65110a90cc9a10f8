#include "train/route.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "floydnet/error.h"

namespace floydnet::train {
namespace {

/// Empty if there is no route; errno says why.
std::string source_address(const addrinfo& target) {
  const int socket = ::socket(target.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return {};
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  char text[NI_MAXHOST] = "";
  const bool found = ::connect(socket, target.ai_addr, target.ai_addrlen) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
                     ::getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text, sizeof text,
                                   nullptr, 0, NI_NUMERICHOST) == 0;
  const int error = errno;
  ::close(socket);
  errno = error;
  return found ? text : "";
}

}  // namespace

std::string address_towards(const std::string& host, int64_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error != 0) throw InputError::in(host, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, &::freeaddrinfo);
  for (const addrinfo* target = list; target != nullptr; target = target->ai_next) {
    const std::string address = source_address(*target);
    if (!address.empty()) return address;
  }
  throw InputError::in(host, std::strerror(errno));
}

bool is_loopback(const std::string& address) {
  return address.rfind("127.", 0) == 0 || address == "::1" || address.rfind("::ffff:127.", 0) == 0;
}

}  // namespace floydnet::train
