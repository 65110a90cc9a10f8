// Pivotal Attention by tiles against its formula.
#include "kernels/tile_kernel.h"

#include "kernels/test_head.h"

namespace floydnet::kernels {
namespace {

template <typename T>
void check_case(const HeadCase& c) {
  SCOPED_TRACE(described<T>(c));
  Head<T> head(c);
  const HeadView<T> view = head.view();
  ASSERT_TRUE(suits_tile_kernel(view));
  const int64_t first = std::min(c.nodes, tile_length(view, Pass::kForward, 0));
  forward_tiles(view, {0, first});
  forward_tiles(view, {first, c.nodes});
  const HeadGradients<T> whole = head.gradients();
  backward_tiles(view, whole, BackwardPart::kAll, {0, c.nodes});
  head.check_all();
  const auto at_once = head.written();
  // In parts it must be the same to the bit.
  const HeadGradients<T> parts = head.gradients();
  for (const BackwardPart part : {BackwardPart::kFirstRole, BackwardPart::kTargets}) {
    const int coordinate = part == BackwardPart::kFirstRole && c.order > 1 ? 1 : 0;
    const int64_t cut = std::min(c.nodes, tile_length(view, Pass::kBackward, coordinate));
    // A single coordinate is not cut for role 0.
    const bool is_cut = c.order > 1 || part == BackwardPart::kTargets;
    if (is_cut) backward_tiles(view, parts, part, {cut, c.nodes});
    backward_tiles(view, parts, part, {0, is_cut ? cut : c.nodes});
  }
  EXPECT_EQ(head.written(), at_once);
}

TEST(TileKernel, EqualsTheFormula) {
  on_every_target([] {
    for (const int64_t dim : {1, 5, 8, 16, 24, 33}) {
      for (const int64_t nodes : {1, 4, 19, 37}) {
        for (const bool multiplicative : {false, true}) {
          check_case<float>({2, nodes, dim, multiplicative, false});
          check_case<double>({2, nodes, dim, multiplicative, false});
        }
      }
    }
    for (const int64_t dim : {5, 16}) {
      check_case<float>({1, 70, dim, false, false});
      check_case<float>({3, 5, dim, false, false});
      check_case<double>({3, 11, dim, false, false});
      check_case<double>({4, 3, dim, false, false});
    }
    check_case<float>({3, 18, 8, false, false});
    check_case<float>({4, 9, 8, false, false});
  });
}

}  // namespace
}  // namespace floydnet::kernels
