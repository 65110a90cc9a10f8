// NumPy's legacy RandomState: MT19937 and the draws that CLRS samplers use, word for word.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace floydnet::clrs {

/// Successes among `trials`, each with probability p, by inversion. The constants are worked out
/// once, since samplers draw whole matrices from one distribution.
class Binomial {
 public:
  /// Throws std::invalid_argument unless 0 <= p <= 1 and the mean of the rarer outcome is at most
  /// 30, beyond which NumPy takes another method.
  Binomial(int64_t trials, double p);

 private:
  friend class RandomState;
  int64_t trials_;
  bool flipped_;  // failures are the rarer outcome and are counted instead
  double p_, q_;  // of the rarer outcome and of the other
  double none_;   // the probability that the rarer outcome never occurs
  int64_t bound_;
};

/// Every call consumes exactly the 32-bit words that NumPy's does.
class RandomState {
 public:
  explicit RandomState(uint32_t seed);

  uint32_t next_u32();
  /// The first word drawn is the high half.
  uint64_t next_u64();
  /// random_sample: in [0, 1), with 53 bits.
  double real();
  double uniform(double low, double high);
  std::vector<double> uniform(double low, double high, int64_t count);
  /// randint: in [low, high). A range of one value consumes nothing. Throws std::invalid_argument
  /// for an empty range.
  int64_t integer(int64_t low, int64_t high);
  std::vector<int64_t> integers(int64_t low, int64_t high, int64_t count);
  /// choice(n), with replacement and without weights.
  int64_t choice(int64_t n) { return integer(0, n); }
  std::vector<int64_t> permutation(int64_t n);
  int64_t binomial(const Binomial& distribution);

 private:
  static constexpr int kWords = 624;

  void refill();
  /// In [0, range], by rejection under the smallest mask that covers the range.
  uint64_t up_to(uint64_t range);

  std::array<uint32_t, kWords> words_{};
  int position_ = kWords;
};

}  // namespace floydnet::clrs
