// The pieces that the kernels are made of, each against a naive loop, for every SIMD target that
// this machine has.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/test_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pieces_test.cc"
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "kernels/block_kernel.h"
#include "kernels/gemm-inl.h"
#include "kernels/pack-inl.h"
#include "kernels/rows-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace floydnet::kernels::HWY_NAMESPACE {
namespace {

template <typename T>
constexpr double kTolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;

/// C[m, n] = or += sum A[m, k] B[k, n], with A by rows or by columns and B plain or in panels.
template <typename T>
void check_product(int64_t rows, int64_t columns, int64_t inner, bool by_columns, bool panels,
                   bool accumulate) {
  const std::vector<T> a = random_numbers<T>(rows * inner, 1);
  const std::vector<T> b = random_numbers<T>(inner * columns, 2);
  std::vector<T> c = random_numbers<T>(rows * columns, 3);
  const int64_t width = panel_width<T>();
  const int64_t padded = round_up(columns, width);
  std::vector<T> packed(static_cast<size_t>(inner * padded));
  for (int64_t k = 0; k < inner; ++k) {
    for (int64_t n = 0; n < columns; ++n) {
      packed[n / width * width * inner + k * width + n % width] = b[k * columns + n];
    }
  }
  std::vector<double> wanted(c.size());
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t n = 0; n < columns; ++n) {
      double sum = accumulate ? c[m * columns + n] : 0;
      for (int64_t k = 0; k < inner; ++k) {
        const T left = by_columns ? a[k * rows + m] : a[m * inner + k];
        sum += static_cast<double>(left) * static_cast<double>(b[k * columns + n]);
      }
      wanted[m * columns + n] = sum;
    }
  }
  const Left<T> left = by_columns ? Left<T>{a.data(), 1, rows} : Left<T>{a.data(), inner, 1};
  const Right<T> right =
      panels ? Right<T>{packed.data(), width, width * inner} : Right<T>{b.data(), columns, width};
  product<T>(rows, columns, inner, left, right, c.data(), columns, accumulate);
  for (size_t i = 0; i < c.size(); ++i) {
    ASSERT_NEAR(c[i], wanted[i], kTolerance<T> * 10 * std::sqrt(static_cast<double>(inner) + 1))
        << rows << " x " << columns << " x " << inner << " at " << i;
  }
}

template <typename T>
void check_products() {
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 25}) {
    for (const int64_t vectors : {1, 2, 3, 4, 7}) {
      for (const int64_t inner : {0, 1, 2, 17, 64, 65, 130}) {
        for (const bool by_columns : {false, true}) {
          check_product<T>(rows, vectors * lanes<T>(), inner, by_columns, false, false);
          check_product<T>(rows, vectors * lanes<T>(), inner, by_columns, true, true);
        }
      }
    }
  }
}

/// Matrices [p, d] of several lines, some pivots excluded, transposed to panels and copied by rows.
template <typename T>
void check_packing(int64_t pivots, int64_t dim, bool excludes) {
  constexpr int64_t kLines = 3;
  const int64_t stride = dim + 3, width = panel_width<T>();
  const std::vector<T> data = random_numbers<T>(kLines * pivots * stride, 4);
  std::vector<T> bias(static_cast<size_t>(kLines * pivots));
  if (excludes) bias[pivots / 2] = bias[2 * pivots] = -std::numeric_limits<T>::infinity();
  const std::vector<T> zeros(static_cast<size_t>(round_up(stride, 64)));
  LineRows<T> in{{data.data(), stride, excludes ? bias.data() : nullptr, 1, pivots},
                 kLines,
                 pivots * stride,
                 excludes ? pivots : 0};
  const int64_t padded = round_up(pivots, width), padded_dim = round_up(dim, lanes<T>());
  std::vector<T> panels(static_cast<size_t>(kLines * padded * dim), T(7));
  pack_panels<T>(in, {0, padded}, dim, width, zeros.data(), panels.data(), padded * dim);
  std::vector<T> rows(static_cast<size_t>(kLines * pivots * padded_dim), T(7));
  pack_rows<T>(in, {0, pivots}, dim, zeros.data(), rows.data(), padded_dim, lanes<T>(),
               pivots * padded_dim);
  for (int64_t line = 0; line < kLines; ++line) {
    for (int64_t p = 0; p < padded; ++p) {
      const bool is_zero = p >= pivots || (excludes && std::isinf(bias[line * pivots + p]));
      for (int64_t d = 0; d < dim; ++d) {
        const T wanted = is_zero ? T(0) : data[(line * pivots + p) * stride + d];
        ASSERT_EQ(panels[line * padded * dim + p / width * width * dim + d * width + p % width],
                  wanted)
            << pivots << " x " << dim << " at " << line << ", " << p << ", " << d;
        if (p >= pivots) continue;
        ASSERT_EQ(rows[(line * pivots + p) * padded_dim + d], wanted) << p << ", " << d;
      }
    }
  }
}

template <typename T>
void check_all_packing() {
  for (const int64_t pivots : {1, 3, 4, 7, 8, 16, 17, 33}) {
    for (const int64_t dim : {1, 2, 4, 5, 8, 13, 16, 31}) {
      check_packing<T>(pivots, dim, false);
      check_packing<T>(pivots, dim, true);
    }
  }
}

template <typename T>
void check_softmax(int64_t count, int64_t pivots) {
  const int64_t padded = round_up(pivots, lanes<T>());
  std::vector<T> scores = random_numbers<T>(count * padded, 5);
  const T infinity = std::numeric_limits<T>::infinity();
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t p = 0; p < padded; ++p) {
      T& score = scores[i * padded + p];
      score *= T(20);
      // Padding, some pivots, and one whole row are excluded.
      if (p >= pivots || (p % 5 == 3 && pivots > 3) || (i == 2 && count > 3)) score = -infinity;
    }
  }
  const std::vector<T> before = scores;
  std::vector<T> kept(scores.size()), maxima(static_cast<size_t>(count + 16)), factors(maxima);
  exponentiate<true, T>({scores.data(), padded, count}, padded, kExpUnit<T>,
                        {kept.data(), padded, count}, maxima.data(), factors.data());
  for (int64_t i = 0; i < count; ++i) {
    double max = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t p = 0; p < padded; ++p) max = std::max<double>(max, before[i * padded + p]);
    const double shift = std::isinf(max) ? 0 : max;
    for (int64_t p = 0; p < padded; ++p) sum += std::exp(before[i * padded + p] - shift);
    for (int64_t p = 0; p < padded; ++p) {
      const double wanted = std::exp(before[i * padded + p] - shift);
      ASSERT_NEAR(scores[i * padded + p], wanted, 2 * kTolerance<T>) << i << ", " << p;
      ASSERT_EQ(kept[i * padded + p], scores[i * padded + p]);
    }
    ASSERT_NEAR(factors[i], sum > 0 ? 1 / sum : 0, 2 * kTolerance<T>) << i;
  }
}

template <typename T>
void check_all_softmax() {
  for (const int64_t count : {1, 2, 3, 4, 5, 9}) {
    for (const int64_t pivots : {1, 2, 5, 16, 17, 40}) check_softmax<T>(count, pivots);
  }
}

/// A row's mean and deviation, and what normalising makes of it.
template <typename T>
void check_norm(int64_t dim, bool is_rms) {
  const std::vector<T> x = random_numbers<T>(dim, 6), weight = random_numbers<T>(dim, 7);
  const std::vector<T> bias = random_numbers<T>(dim, 8);
  double mean = 0, square = 0;
  for (const T value : x) mean += is_rms ? 0 : static_cast<double>(value) / dim;
  for (const T value : x) square += (value - mean) * (value - mean) / dim;
  const double deviation = std::sqrt(square + 1e-5);
  T stats[2];
  row_statistics<T>(x.data(), dim, 1e-5, is_rms, stats);
  std::vector<T> out(x.size());
  normalise<T>(x.data(), dim, stats, {weight.data(), is_rms ? nullptr : bias.data()}, out.data());
  for (int64_t d = 0; d < dim; ++d) {
    const double wanted = (x[d] - mean) / deviation * weight[d] + (is_rms ? 0 : bias[d]);
    ASSERT_NEAR(out[d], wanted, 10 * kTolerance<T>) << dim << ", " << d;
  }
}

double gelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double relu(double x) { return std::max(0.0, x); }
double silu(double x) { return x / (1 + std::exp(-x)); }

/// Values against the formula, slopes against differences of it.
template <BlockActivation kActivation, typename T>
void check_activation(double (*formula)(double)) {
  const int64_t count = 16 * lanes<T>();
  std::vector<T> in = random_numbers<T>(count, 9);
  for (T& x : in) x *= T(3);
  std::vector<T> out(in.size()), gradient(in.size(), T(2));
  activate_elements<kActivation, T>(in.data(), count, out.data());
  for (int64_t i = 0; i < count; ++i) {
    ASSERT_NEAR(out[i], formula(in[i]), 20 * kTolerance<T>) << in[i];
  }
  activate_backward<kActivation, T>(in.data(), count, out.data(), gradient.data());
  for (int64_t i = 0; i < count; ++i) {
    const double h = 1e-6, x = in[i];
    ASSERT_NEAR(out[i], formula(x), 20 * kTolerance<T>) << x;
    ASSERT_NEAR(gradient[i], 2 * (formula(x + h) - formula(x - h)) / (2 * h), 2e-5) << x;
  }
}

template <typename T>
void check_rows() {
  for (const int64_t vectors : {1, 2, 3, 5}) {
    check_norm<T>(vectors * lanes<T>(), false);
    check_norm<T>(vectors * lanes<T>(), true);
  }
  check_activation<BlockActivation::kGelu, T>(gelu);
  check_activation<BlockActivation::kRelu, T>(relu);
  check_activation<BlockActivation::kSilu, T>(silu);
}

}  // namespace

void ProductsTest() {
  check_products<float>();
  check_products<double>();
}
void PackingTest() {
  check_all_packing<float>();
  check_all_packing<double>();
}
void SoftmaxTest() {
  check_all_softmax<float>();
  check_all_softmax<double>();
}
void RowsTest() {
  check_rows<float>();
  check_rows<double>();
}

}  // namespace floydnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace floydnet::kernels {
namespace {

HWY_EXPORT(ProductsTest);
HWY_EXPORT(PackingTest);
HWY_EXPORT(SoftmaxTest);
HWY_EXPORT(RowsTest);

TEST(KernelPieces, ProductsOfAllSizes) {
  on_every_target([] { HWY_DYNAMIC_DISPATCH(ProductsTest)(); });
}
TEST(KernelPieces, PackedMatricesOfAllSizes) {
  on_every_target([] { HWY_DYNAMIC_DISPATCH(PackingTest)(); });
}
TEST(KernelPieces, SoftmaxOfRowsOfAllSizes) {
  on_every_target([] { HWY_DYNAMIC_DISPATCH(SoftmaxTest)(); });
}
TEST(KernelPieces, NormsAndActivations) {
  on_every_target([] { HWY_DYNAMIC_DISPATCH(RowsTest)(); });
}

}  // namespace
}  // namespace floydnet::kernels
#endif
