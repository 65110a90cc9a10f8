#include "console/interruptible.h"

#include <chrono>
#include <future>

#include "train/signals.h"

namespace floydnet {

int run_interruptibly(const std::function<void(const std::atomic<bool>& stop)>& work,
                      const std::function<void()>& show) {
  constexpr std::chrono::milliseconds kPause{50};
  const train::StopSignals signals;
  std::atomic<bool> stop{false};
  std::future<void> done = std::async(std::launch::async, [&] { work(stop); });
  while (done.wait_for(kPause) != std::future_status::ready) {
    if (signals.received() != 0) stop = true;
    show();
  }
  done.get();
  return signals.received();
}

}  // namespace floydnet
