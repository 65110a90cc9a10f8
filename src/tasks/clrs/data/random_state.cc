#include "tasks/clrs/data/random_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace floydnet::clrs {
namespace {

constexpr int kShift = 397;  // the recurrence takes words i, i + 1 and i + kShift
constexpr double kMaxMean = 30;

uint64_t covering_mask(uint64_t value) {
  uint64_t mask = value;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  return mask;
}

}  // namespace

Binomial::Binomial(int64_t trials, double p) : trials_(trials), flipped_(p > 0.5) {
  p_ = flipped_ ? 1.0 - p : p;
  const auto n = static_cast<double>(trials);
  const double mean = n * p_;
  if (trials < 0 || !(p >= 0 && p <= 1) || mean > kMaxMean) {
    throw std::invalid_argument("no binomial draw of " + std::to_string(trials) +
                                " trials with probability " + std::to_string(p));
  }
  q_ = 1.0 - p_;
  none_ = std::exp(n * std::log(q_));
  bound_ = static_cast<int64_t>(std::min(n, mean + 10.0 * std::sqrt(mean * q_ + 1)));
}

RandomState::RandomState(uint32_t seed) {
  words_[0] = seed;
  for (uint32_t i = 1; i < kWords; ++i) {
    words_[i] = 1812433253u * (words_[i - 1] ^ (words_[i - 1] >> 30)) + i;
  }
}

void RandomState::refill() {
  constexpr uint32_t kTop = 0x80000000u;
  const auto twist = [this](int i, int next, int shifted) {
    const uint32_t y = (words_[i] & kTop) | (words_[next] & ~kTop);
    words_[i] = words_[shifted] ^ (y >> 1) ^ ((y & 1) != 0 ? 0x9908b0dfu : 0u);
  };
  for (int i = 0; i < kWords - kShift; ++i) twist(i, i + 1, i + kShift);
  for (int i = kWords - kShift; i < kWords - 1; ++i) twist(i, i + 1, i + kShift - kWords);
  twist(kWords - 1, 0, kShift - 1);
  position_ = 0;
}

uint32_t RandomState::next_u32() {
  if (position_ == kWords) refill();
  uint32_t y = words_[position_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

uint64_t RandomState::next_u64() {
  const uint64_t high = next_u32();
  return high << 32 | next_u32();
}

double RandomState::real() {
  const uint32_t high = next_u32() >> 5;
  const uint32_t low = next_u32() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double RandomState::uniform(double low, double high) { return low + (high - low) * real(); }

std::vector<double> RandomState::uniform(double low, double high, int64_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = uniform(low, high);
  return values;
}

uint64_t RandomState::up_to(uint64_t range) {
  if (range == 0) return 0;
  const uint64_t mask = covering_mask(range);
  const bool wide = range > 0xffffffffu;
  uint64_t value;
  do {
    value = (wide ? next_u64() : next_u32()) & mask;
  } while (value > range);
  return value;
}

int64_t RandomState::integer(int64_t low, int64_t high) {
  if (low >= high) {
    throw std::invalid_argument("no integer from " + std::to_string(low) + " to below " +
                                std::to_string(high));
  }
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) - 1;
  return static_cast<int64_t>(static_cast<uint64_t>(low) + up_to(range));
}

std::vector<int64_t> RandomState::integers(int64_t low, int64_t high, int64_t count) {
  std::vector<int64_t> values(count);
  for (int64_t& value : values) value = integer(low, high);
  return values;
}

std::vector<int64_t> RandomState::permutation(int64_t n) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = n - 1; i > 0; --i) std::swap(order[i], order[up_to(i)]);
  return order;
}

int64_t RandomState::binomial(const Binomial& d) {
  int64_t successes = 0;
  double probability = d.none_;
  double left = real();
  while (left > probability) {
    ++successes;
    if (successes > d.bound_) {  // rounding left nothing to invert: draw again
      successes = 0;
      probability = d.none_;
      left = real();
    } else {
      left -= probability;
      probability = (static_cast<double>(d.trials_ - successes + 1) * d.p_ * probability) /
                    (static_cast<double>(successes) * d.q_);
    }
  }
  return d.flipped_ ? d.trials_ - successes : successes;
}

}  // namespace floydnet::clrs
