#include "train/signals.h"

#include <unistd.h>

#include <csignal>
#include <iterator>

namespace floydnet::train {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void remember(int signal) {
  if (stop_signal != 0) ::_exit(128 + signal);
  stop_signal = signal;
}

constexpr int kHandled[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
struct sigaction actions_before[std::size(kHandled)];

}  // namespace

StopSignals::StopSignals() {
  stop_signal = 0;
  for (size_t i = 0; i < std::size(kHandled); ++i) {
    struct sigaction action = {};
    action.sa_handler = kHandled[i] == SIGPIPE ? SIG_IGN : remember;
    action.sa_flags = SA_RESTART;
    ::sigaction(kHandled[i], nullptr, &actions_before[i]);
    if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(kHandled[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (size_t i = 0; i < std::size(kHandled); ++i) {
    ::sigaction(kHandled[i], &actions_before[i], nullptr);
  }
}

int StopSignals::received() const { return stop_signal; }

}  // namespace floydnet::train
