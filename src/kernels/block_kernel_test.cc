// What stands around attention in a block, against its formulas written as loops over single rows.
#include "kernels/block_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_targets.h"

namespace floydnet::kernels {
namespace {

using Numbers = std::vector<double>;

struct Case {
  int64_t rows, dim, heads, ratio;
  bool is_rms, bias;
  BlockActivation activation;
  bool is_by_head = false;
};

double activate(BlockActivation activation, double x) {
  if (activation == BlockActivation::kRelu) return std::max(0.0, x);
  if (activation == BlockActivation::kSilu) return x / (1 + std::exp(-x));
  return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double slope(BlockActivation activation, double x) {
  if (activation == BlockActivation::kRelu) return x > 0 ? 1 : 0;
  if (activation == BlockActivation::kSilu) {
    const double sigmoid = 1 / (1 + std::exp(-x));
    return sigmoid * (1 + x * (1 - sigmoid));
  }
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
  return 0.5 * std::erfc(-x / std::sqrt(2.0)) + x * density;
}

template <typename T>
struct Linear {
  std::vector<T> weight, bias;
  int64_t out, in;

  Linear(int64_t rows, int64_t columns, uint64_t seed)
      : weight(random_numbers<T>(rows * columns, seed)),
        bias(random_numbers<T>(rows, seed + 1)),
        out(rows),
        in(columns) {
    for (T& w : weight) w /= static_cast<T>(std::sqrt(static_cast<double>(in)));
  }
  LinearWeights<T> view(bool with_bias) const {
    return {weight.data(), with_bias ? bias.data() : nullptr, out, in};
  }
  Numbers forward(const Numbers& x, bool with_bias) const {
    Numbers y(static_cast<size_t>(out));
    for (int64_t o = 0; o < out; ++o) {
      y[o] = with_bias ? bias[o] : 0;
      for (int64_t i = 0; i < in; ++i) y[o] += weight[o * in + i] * x[i];
    }
    return y;
  }
  Numbers backward(const Numbers& dy) const {
    Numbers dx(static_cast<size_t>(in));
    for (int64_t o = 0; o < out; ++o) {
      for (int64_t i = 0; i < in; ++i) dx[i] += weight[o * in + i] * dy[o];
    }
    return dx;
  }
};

/// Of one row: standardised numbers, and what the norm makes of them.
template <typename T>
struct Norm {
  std::vector<T> weight, bias;
  bool is_rms;
  static constexpr double kEps = 1e-5;

  Norm(int64_t dim, bool by_rms, uint64_t seed)
      : weight(random_numbers<T>(dim, seed)),
        bias(random_numbers<T>(dim, seed + 1)),
        is_rms(by_rms) {}
  NormWeights<T> view() const { return {weight.data(), is_rms ? nullptr : bias.data()}; }

  Numbers standardised(const Numbers& x, double* factor) const {
    double mean = 0, square = 0;
    const auto dim = static_cast<double>(x.size());
    for (const double value : x) mean += is_rms ? 0 : value / dim;
    for (const double value : x) square += (value - mean) * (value - mean) / dim;
    *factor = 1 / std::sqrt(square + kEps);
    Numbers result(x);
    for (double& value : result) value = (value - mean) * *factor;
    return result;
  }
  Numbers forward(const Numbers& x) const {
    double factor = 0;
    Numbers y = standardised(x, &factor);
    for (size_t d = 0; d < y.size(); ++d) y[d] = y[d] * weight[d] + (is_rms ? 0 : bias[d]);
    return y;
  }
  /// dx; adds to the gradients of weight and bias.
  Numbers backward(const Numbers& x, const Numbers& dy, double* dweight, double* dbias) const {
    double factor = 0, mean = 0, along = 0;
    const Numbers unit = standardised(x, &factor);
    const auto dim = static_cast<double>(x.size());
    for (size_t d = 0; d < x.size(); ++d) {
      const double g = dy[d] * weight[d];
      mean += is_rms ? 0 : g / dim;
      along += g * unit[d] / dim;
      dweight[d] += dy[d] * unit[d];
      dbias[d] += dy[d];
    }
    Numbers dx(x.size());
    for (size_t d = 0; d < x.size(); ++d) {
      dx[d] = factor * (dy[d] * weight[d] - mean - unit[d] * along);
    }
    return dx;
  }
};

Numbers sum_of(Numbers a, const Numbers& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

template <typename T>
class Block {
 public:
  explicit Block(const Case& c)
      : c_(c),
        slices_(5 * c.heads),
        hidden_(c.ratio * c.dim),
        norm1_(c.dim, c.is_rms, 1),
        norm2_(c.dim, c.is_rms, 3),
        qkv_map_(5 * c.dim, c.dim, 5),
        proj_(c.dim, c.dim, 7),
        up_(hidden_, c.dim, 9),
        down_(c.dim, hidden_, 11) {
    x_ = random_numbers<T>(c.rows * c.dim, 20);
    attended_ = random_numbers<T>(c.rows * c.dim, 21);
    dy_ = random_numbers<T>(c.rows * c.dim, 22);
    dqkv_ = random_numbers<T>(c.rows * 5 * c.dim, 23);
    BlockArrays<T>& a = arrays_;
    a.rows = c.rows;
    a.dim = c.dim;
    a.heads = c.heads;
    a.is_by_head = c.is_by_head;
    a.slices = slices_;
    a.hidden = hidden_;
    a.eps = Norm<T>::kEps;
    a.activation = c.activation;
    a.norm1 = norm1_.view();
    a.norm2 = norm2_.view();
    a.qkv_map = qkv_map_.view(c.bias);
    a.proj = proj_.view(c.bias);
    a.up = up_.view(c.bias);
    a.down = down_.view(c.bias);
    a.x = x_.data();
    a.attended = attended_.data();
    a.dy = dy_.data();
    a.dqkv = dqkv_.data();
    const int64_t blocks = (c.rows + kBlockRowsAtATime - 1) / kBlockRowsAtATime;
    a.stats1 = room(c.rows * 2);
    a.stats2 = room(c.rows * 2);
    a.qkv = room(c.rows * 5 * c.dim);
    a.before_activation = room(c.rows * hidden_);
    a.activated = room(c.rows * hidden_);
    a.dhidden = room(c.rows * hidden_);
    for (T** array : {&a.middle, &a.y, &a.normed1, &a.normed2, &a.dmiddle, &a.dattended, &a.dx}) {
      *array = room(c.rows * c.dim);
    }
    a.dnorm1 = room(blocks * 2 * c.dim);
    a.dnorm2 = room(blocks * 2 * c.dim);
  }

  void run() {
    const auto for_rows = [&](void (*pass)(const BlockArrays<T>&, Range)) {
      for (int64_t row = 0; row < c_.rows; row += kBlockRowsAtATime) {
        pass(arrays_, {row, std::min(c_.rows, row + kBlockRowsAtATime)});
      }
    };
    T* packed = room(packed_weights_size(arrays_));
    arrays_.packed = packed;
    pack_weights(arrays_, /*backward=*/false, packed);
    for_rows(forward_inputs);
    for_rows(forward_outputs);
    pack_weights(arrays_, /*backward=*/true, packed);
    for_rows(backward_outputs);
    for_rows(backward_inputs);
  }

  void check() {
    Numbers dnorm1(static_cast<size_t>(2 * c_.dim)), dnorm2(dnorm1);
    for (int64_t row = 0; row < c_.rows; ++row) check_row(row, &dnorm1, &dnorm2);
    check_norm_gradients(arrays_.dnorm1, dnorm1);
    check_norm_gradients(arrays_.dnorm2, dnorm2);
    check_weight_gradients();
  }

 private:
  /// Memory that a kernel is to write; what it leaves out is seen.
  T* room(int64_t size) {
    rooms_.emplace_back(static_cast<size_t>(size), std::numeric_limits<T>::quiet_NaN());
    return rooms_.back().data();
  }

  Numbers row_of(const T* data, int64_t row, int64_t width) const {
    return {data + row * width, data + (row + 1) * width};
  }

  /// A row of [slices, rows, head_dim] or [rows, slices, head_dim].
  Numbers all_slices(const T* data, int64_t row, int64_t slices) const {
    const int64_t d = arrays_.head_dim();
    if (!c_.is_by_head) return row_of(data, row, slices * d);
    Numbers result;
    for (int64_t s = 0; s < slices; ++s) {
      const T* begin = data + (s * c_.rows + row) * d;
      result.insert(result.end(), begin, begin + d);
    }
    return result;
  }

  static void expect_near(const Numbers& got, const Numbers& wanted, const char* what) {
    const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-9;
    for (size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_NEAR(got[i], wanted[i], tolerance * (1 + std::abs(wanted[i]))) << what << " " << i;
    }
  }

  void check_row(int64_t row, Numbers* dnorm1, Numbers* dnorm2) {
    SCOPED_TRACE(testing::Message() << "row " << row);
    const BlockArrays<T>& a = arrays_;
    const Numbers x = row_of(a.x, row, c_.dim), n1 = norm1_.forward(x);
    expect_near(all_slices(a.qkv, row, slices_), qkv_map_.forward(n1, c_.bias), "qkv");
    const Numbers attended = all_slices(a.attended, row, c_.heads);
    const Numbers middle = sum_of(x, proj_.forward(attended, c_.bias));
    expect_near(row_of(a.middle, row, c_.dim), middle, "middle");
    const Numbers n2 = norm2_.forward(middle), before = up_.forward(n2, c_.bias);
    Numbers active(before);
    for (double& value : active) value = activate(c_.activation, value);
    expect_near(row_of(a.y, row, c_.dim), sum_of(middle, down_.forward(active, c_.bias)), "y");

    const Numbers dy = row_of(a.dy, row, c_.dim);
    Numbers dhidden = down_.backward(dy);
    for (size_t i = 0; i < dhidden.size(); ++i) dhidden[i] *= slope(c_.activation, before[i]);
    expect_near(row_of(a.activated, row, hidden_), active, "activated");
    expect_near(row_of(a.normed2, row, c_.dim), n2, "normed2");
    expect_near(row_of(a.dhidden, row, hidden_), dhidden, "dhidden");
    const Numbers dmiddle = sum_of(dy, norm2_.backward(middle, up_.backward(dhidden),
                                                       dnorm2->data(), dnorm2->data() + c_.dim));
    expect_near(row_of(a.dmiddle, row, c_.dim), dmiddle, "dmiddle");
    expect_near(all_slices(a.dattended, row, c_.heads), proj_.backward(dmiddle), "dattended");
    const Numbers dn1 = qkv_map_.backward(all_slices(a.dqkv, row, slices_));
    expect_near(row_of(a.normed1, row, c_.dim), n1, "normed1");
    expect_near(row_of(a.dx, row, c_.dim),
                sum_of(dmiddle, norm1_.backward(x, dn1, dnorm1->data(), dnorm1->data() + c_.dim)),
                "dx");
  }

  /// Parts by block of rows, added up; without a bias there is no gradient of one.
  void check_norm_gradients(const T* parts, const Numbers& wanted) {
    const int64_t width = (c_.is_rms ? 1 : 2) * c_.dim;
    Numbers sum(static_cast<size_t>(width));
    for (int64_t row = 0; row < c_.rows; row += kBlockRowsAtATime) {
      const T* part = parts + row / kBlockRowsAtATime * 2 * c_.dim;
      for (int64_t d = 0; d < width; ++d) sum[d] += part[d];
    }
    for (int64_t d = 0; d < width; ++d) {
      ASSERT_NEAR(sum[d], wanted[d], (sizeof(T) == 4 ? 2e-4 : 1e-9) * (1 + std::abs(wanted[d])));
    }
  }

  /// d[m, n] = sum over rows of a[row, m] b[row, n]; of the maps into hidden and qkv.
  void check_weight_gradients() {
    const BlockArrays<T>& a = arrays_;
    const int64_t d = a.head_dim();
    const ColumnGroups<T> hidden{a.dhidden, hidden_, 0, hidden_}, n2{a.normed2, c_.dim, 0, c_.dim};
    const ColumnGroups<T> n1{a.normed1, c_.dim, 0, c_.dim};
    const ColumnGroups<T> dqkv = c_.is_by_head ? ColumnGroups<T>{a.dqkv, d, c_.rows * d, d}
                                               : ColumnGroups<T>{a.dqkv, 5 * c_.dim, 0, 5 * c_.dim};
    check_weight_gradient(hidden, hidden_, n2,
                          [&](int64_t row, int64_t m) { return a.dhidden[row * hidden_ + m]; });
    check_weight_gradient(dqkv, 5 * c_.dim, n1, [&](int64_t row, int64_t m) {
      return c_.is_by_head ? a.dqkv[(m / d * c_.rows + row) * d + m % d]
                           : a.dqkv[row * 5 * c_.dim + m];
    });
  }

  template <typename Left>
  void check_weight_gradient(ColumnGroups<T> left, int64_t m, ColumnGroups<T> right,
                             const Left& left_at) {
    std::vector<T> got(static_cast<size_t>(m * c_.dim));
    const WeightGradient<T> gradient{left, right, c_.rows, m, c_.dim, got.data()};
    for (int64_t begin = 0; begin < m; begin += kWeightRowsAtATime) {
      weight_gradient(gradient, {begin, std::min(m, begin + kWeightRowsAtATime)});
    }
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t n = 0; n < c_.dim; ++n) {
        double sum = 0;
        for (int64_t row = 0; row < c_.rows; ++row) {
          sum += static_cast<double>(left_at(row, i)) * right.data[row * c_.dim + n];
        }
        ASSERT_NEAR(got[i * c_.dim + n], sum, (sizeof(T) == 4 ? 2e-4 : 1e-11) * (1 + std::abs(sum)))
            << i << ", " << n;
      }
    }
  }

  Case c_;
  int64_t slices_, hidden_;
  Norm<T> norm1_, norm2_;
  Linear<T> qkv_map_, proj_, up_, down_;
  std::vector<T> x_, attended_, dy_, dqkv_;
  BlockArrays<T> arrays_;
  std::vector<std::vector<T>> rooms_;
};

template <typename T>
void check_case(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.rows << " rows, dim " << c.dim << ", " << c.heads
                                  << " heads, " << (sizeof(T) == 4 ? "float32" : "float64"));
  Block<T> block(c);
  block.run();
  block.check();
}

TEST(BlockKernel, EqualsTheFormulas) {
  on_every_target([] {
    int tried = 0;
    for (const int64_t dim : {8, 16, 32, 48, 64, 96}) {
      if (!suits_block_kernel(dim, 2 * dim)) continue;
      ++tried;
      for (const int64_t rows : {1, 5, 47, 48, 49, 101}) {
        for (const int64_t head_dim : {4, 8, 16}) {
          if (dim % head_dim != 0) continue;
          const bool odd = rows % 2 != 0;
          for (const bool is_by_head : {false, true}) {
            if (is_by_head && !prefers_heads_apart(head_dim)) continue;
            const Case c{rows, dim,  dim / head_dim,         odd ? 1 : 2,
                         odd,  !odd, BlockActivation::kGelu, is_by_head};
            check_case<float>(c);
            check_case<double>(c);
          }
        }
      }
      for (const auto activation : {BlockActivation::kRelu, BlockActivation::kSilu}) {
        check_case<float>({50, dim, 2, 2, false, true, activation});
        check_case<double>({50, dim, 2, 2, false, true, activation});
      }
    }
    EXPECT_GE(tried, 4);
  });
}

TEST(BlockKernel, AddsUpColumns) {
  on_every_target([] {
    const std::vector<double> rows = random_numbers<double>(7 * 19, 1);
    std::vector<double> sums(19, 5.0);
    column_sums(rows.data(), 7, 19, sums.data());
    for (int64_t c = 0; c < 19; ++c) {
      double sum = 0;
      for (int64_t r = 0; r < 7; ++r) sum += rows[r * 19 + c];
      EXPECT_EQ(sums[c], sum);
    }
  });
}

}  // namespace
}  // namespace floydnet::kernels
