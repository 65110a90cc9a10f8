// Long work that the user may end early, and watches meanwhile.
#pragma once

#include <atomic>
#include <functional>

namespace floydnet {

/// Runs `work` on a thread of its own, which is to end soon once `stop` is true: after the first
/// SIGINT, SIGTERM or SIGHUP. This thread calls `show` some ten times a second. Throws what `work`
/// throws; gives the signal that came, or 0.
int run_interruptibly(const std::function<void(const std::atomic<bool>& stop)>& work,
                      const std::function<void()>& show);

}  // namespace floydnet
