// Pivotal Attention by rows against its formula.
#include "kernels/row_kernel.h"

#include "kernels/test_head.h"

namespace floydnet::kernels {
namespace {

template <typename T>
void check_case(const HeadCase& c) {
  SCOPED_TRACE(described<T>(c));
  Head<T> head(c);
  const HeadView<T> view = head.view();
  forward_rows(view, {0, c.nodes / 2});
  forward_rows(view, {c.nodes / 2, c.nodes});
  const HeadGradients<T> whole = head.gradients();
  backward_rows(view, whole, BackwardPart::kAll, {0, c.nodes});
  head.check_all();
  const auto at_once = head.written();
  // In parts it must be the same to the bit.
  const HeadGradients<T> parts = head.gradients();
  for (const BackwardPart part : {BackwardPart::kFirstRole, BackwardPart::kTargets}) {
    backward_rows(view, parts, part, {c.nodes / 3, c.nodes});
    backward_rows(view, parts, part, {0, c.nodes / 3});
  }
  EXPECT_EQ(head.written(), at_once);
  const std::vector<double> wanted = head.weights_of(0);
  std::vector<T> weights(wanted.size());
  const int64_t first[kMaxOrder] = {};
  target_weights(view, first, weights.data());
  for (size_t p = 0; p < wanted.size(); ++p) {
    EXPECT_NEAR(weights[p], wanted[p], Head<T>::tolerance()) << p;
  }
}

TEST(RowKernel, EqualsTheFormula) {
  constexpr int64_t kNodes[] = {9, 6, 4, 3};  // by order
  on_every_target([&] {
    for (int order = 1; order <= kMaxOrder; ++order) {
      for (const int64_t dim : {1, 3, 4, 8, 9, 16, 17, 33}) {
        for (const bool multiplicative : {false, true}) {
          for (const bool extras : {false, true}) {
            const HeadCase c{order, kNodes[order - 1], dim, multiplicative, extras};
            check_case<double>(c);
            // Products of several random numbers leave float32 few digits.
            if (!multiplicative || order <= 2) check_case<float>(c);
          }
        }
      }
    }
    check_case<double>({2, 1, 8, false, false});
    check_case<float>({2, 17, 8, false, true});
  });
}

}  // namespace
}  // namespace floydnet::kernels
