// Checks that bad input is refused with the right message, in no time and hardly any memory.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <string>

#include "floydnet/error.h"

namespace floydnet {

/// The message of the InputError that `read` throws, or a failure of the running test.
inline std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "the input was accepted";
  return "";
}

struct Cost {
  double seconds = 0;  // of processor time
  double megabytes = 0;
};

inline Cost cost_here(const std::function<void()>& action) {
  const auto seconds = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const auto peak_megabytes = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
  };
  const Cost before{seconds(), peak_megabytes()};
  action();
  return {seconds() - before.seconds, peak_megabytes() - before.megabytes};
}

/// What `action` costs, measured in a child process, whose peak memory starts afresh.
inline Cost cost_of(const std::function<void()>& action) {
  int ends[2];
  Cost cost;
  if (::pipe(ends) != 0) return cost;
  ::malloc_trim(0);  // what earlier tests have freed would hide what is taken
  const pid_t child = ::fork();
  if (child == 0) {
    cost = cost_here(action);
    const bool sent = ::write(ends[1], &cost, sizeof(cost)) == ssize_t{sizeof(cost)};
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  EXPECT_EQ(::read(ends[0], &cost, sizeof(cost)), ssize_t{sizeof(cost)}) << "the child failed";
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return cost;
}

/// `read` throws InputError with a message that contains `text`, within 10 ms and 10 MB.
inline void expect_refused_cheaply(const std::function<void()>& read, const std::string& text) {
  const std::string message = refusal(read);
  EXPECT_NE(message.find(text), std::string::npos) << message;
  const Cost cost = cost_of([&] {
    try {
      read();
    } catch (const InputError&) {
    }
  });
  EXPECT_LT(cost.seconds, 0.01) << message;
  EXPECT_LT(cost.megabytes, 10) << message;
}

}  // namespace floydnet
