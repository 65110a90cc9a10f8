#include "train/signals.h"

#include <unistd.h>

#include <csignal>

namespace floydnet::train {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void remember(int signal) {
  if (stop_signal != 0) ::_exit(128 + signal);
  stop_signal = signal;
}

void handle(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  stop_signal = 0;
  handle(remember);
}

StopSignals::~StopSignals() { handle(SIG_DFL); }

int StopSignals::received() const { return stop_signal; }

}  // namespace floydnet::train
