// Runs a fuzz target without libFuzzer: mutates the target's own seeds for some seconds, or replays
// files. The inputs depend on the seed alone, so a run can be repeated.
//
//   graph6_fuzz --seconds 10 --seed 3
//   graph6_fuzz graph6_fuzz.crash
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizers' own name
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

constexpr size_t kMaxInput = 1 << 14;
constexpr size_t kMaxMutants = 64;
constexpr unsigned kSecondsForOneRun = 20;

// What the handlers below save; they may use nothing that allocates.
std::string crash_path;
const char* current_data = nullptr;
size_t current_size = 0;

void save_current_input() {
  const int file = ::open(crash_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || ::write(file, current_data, current_size) < 0) return;
  ::close(file);
  constexpr char kNote[] = "the input is saved for replay: ";
  for (const std::string_view text :
       {std::string_view(kNote), std::string_view(crash_path), std::string_view("\n")}) {
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
  }
}

void on_signal(int number) {
  save_current_input();
  std::signal(number, SIG_DFL);
  ::raise(number);
}

void save_input_on_crash() {
  crash_path = std::string(program_invocation_short_name) + ".crash";
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    std::signal(number, on_signal);
  }
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(save_current_input);
  }
}

void run(const std::string& input) {
  // A copy of the exact size, so that a sanitizer sees a read past the end.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  current_data = input.data();
  current_size = input.size();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  size_t below(size_t limit) { return static_cast<size_t>(random_() % std::max<size_t>(limit, 1)); }

  std::string mutate(std::string input, const std::string& other) {
    for (size_t steps = 1 + below(4); steps > 0; --steps) mutate_once(input, other);
    if (input.size() > kMaxInput) input.resize(kMaxInput);
    return input;
  }

 private:
  void mutate_once(std::string& input, const std::string& other) {
    const size_t at = below(input.size());
    switch (input.empty() ? 5 : below(8)) {
      case 0:
        input[at] = static_cast<char>(input[at] ^ 1 << below(8));
        break;
      case 1:
        input[at] = static_cast<char>(below(256));
        break;
      case 2:
        input.replace(at, 1 + below(8), interesting_integer());
        break;
      case 3:  // a number in text grows
        input.insert(at, std::string(1 + below(4), input[at]));
        break;
      case 4:
        input.resize(at);
        break;
      case 5:
        input.insert(at, interesting_integer());
        break;
      case 6:
        input.erase(at, 1 + below(16));
        break;
      default:
        splice(input, at, other);
    }
  }

  void splice(std::string& input, size_t at, const std::string& other) {
    const size_t from = below(other.size());
    const std::string part = other.substr(std::min(from, other.size()), 1 + below(64));
    if (below(2) == 0) {
      input.insert(at, part);
    } else {
      input.replace(at, part.size(), part);
    }
  }

  /// Little-endian, one to eight bytes wide, near the edges of the common widths.
  std::string interesting_integer() {
    const size_t width = size_t{1} << below(4);
    const uint64_t edge = uint64_t{1} << below(64);
    uint64_t value = below(4) == 0 ? edge : edge - 1 - below(2);
    std::string bytes;
    for (size_t i = 0; i < width; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
    return bytes;
  }

  std::mt19937_64 random_;
};

/// Runs the seeds and then mutants of seeds and of earlier mutants; returns the number of runs.
uint64_t fuzz(double seconds, uint64_t seed) {
  std::vector<std::string> corpus = fuzz_seeds();
  if (corpus.empty()) corpus.emplace_back();
  for (const std::string& input : corpus) run(input);
  const size_t seeds = corpus.size();
  uint64_t runs = seeds;
  Mutator mutator(seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    constexpr int kRunsBetweenLooksAtTheClock = 64;
    ::alarm(kSecondsForOneRun);
    for (int i = 0; i < kRunsBetweenLooksAtTheClock; ++i, ++runs) {
      const std::string input = mutator.mutate(corpus[mutator.below(corpus.size())],
                                               corpus[mutator.below(corpus.size())]);
      run(input);
      if (mutator.below(32) != 0) continue;
      if (corpus.size() < seeds + kMaxMutants) {
        corpus.push_back(input);
      } else {
        corpus[seeds + mutator.below(kMaxMutants)] = input;
      }
    }
  }
  ::alarm(0);
  return runs;
}

/// Exits with 2 unless the whole text is a number that is not negative.
double number(const char* option, const char* text) {
  if (text != nullptr) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (value >= 0 && *end == '\0') return value;
  }
  std::fprintf(stderr, "%s wants a number\n", option);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  uint64_t seed = 1;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0) {
      seconds = number(argv[i], argv[i + 1]);
      ++i;
    } else if (std::strcmp(argv[i], "--seed") == 0) {
      seed = static_cast<uint64_t>(number(argv[i], argv[i + 1]));
      ++i;
    } else {
      paths.emplace_back(argv[i]);
    }
  }
  if (paths.empty()) save_input_on_crash();
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "usage: %s [--seconds S] [--seed K] [file ...]; cannot read %s\n",
                   program_invocation_short_name, path.c_str());
      return 2;
    }
    run(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  const uint64_t runs = paths.empty() ? fuzz(seconds, seed) : paths.size();
  std::printf("%s: %llu runs, no fault\n", program_invocation_short_name,
              static_cast<unsigned long long>(runs));
}
