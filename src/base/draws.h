// Random draws that are the same on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace floydnet {

/// std::mt19937_64 is the same everywhere; the distributions of the standard library are not.
class Draws {
 public:
  /// The sequence that belongs to a seed, an index and so on.
  explicit Draws(std::initializer_list<uint64_t> keys) {
    std::vector<uint32_t> words;
    for (const uint64_t key : keys) {
      words.push_back(static_cast<uint32_t>(key));
      words.push_back(static_cast<uint32_t>(key >> 32));
    }
    std::seed_seq sequence(words.begin(), words.end());
    engine_.seed(sequence);
  }

  /// A number below `limit`; the first 2^64 mod limit words are left out, so all are as likely.
  uint64_t below(uint64_t limit) {
    const uint64_t left_out = (0 - limit) % limit;
    uint64_t word = engine_();
    while (word < left_out) word = engine_();
    return word % limit;
  }

  /// Some element, taken out of the vector, whose order is lost.
  template <typename T>
  T take(std::vector<T>& from) {
    std::swap(from[below(from.size())], from.back());
    const T taken = from.back();
    from.pop_back();
    return taken;
  }

  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (size_t left = values.size(); left > 1; --left) {
      std::swap(values[below(left)], values[left - 1]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace floydnet
