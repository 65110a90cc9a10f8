// Which order k tells two graphs apart? The rook's graph and the Shrikhande graph are both strongly
// regular with parameters (16, 6, 2, 2). No libtorch is needed.
//
// Prints:
//   1-WL: not told apart
//   2-FWL: not told apart
//   3-FWL: told apart
#include <floydnet/wl.h>

#include <cstdio>

namespace {

// Fields (x, y) of a 4 x 4 board, joined by steps that wrap around.
template <typename Joined>
floydnet::Graph board(Joined joined) {
  floydnet::Graph graph(16);
  for (int a = 0; a < 16; ++a) {
    for (int b = a + 1; b < 16; ++b) {
      if (joined((b / 4 - a / 4 + 4) % 4, (b % 4 - a % 4 + 4) % 4)) graph.add_edge(a, b);
    }
  }
  return graph;
}

}  // namespace

int main() {
  const floydnet::Graph rook = board([](int dx, int dy) { return dx == 0 || dy == 0; });
  // One step in x, one in y, or one in both.
  const floydnet::Graph shrikhande = board([](int dx, int dy) {
    const bool one_x = dx == 1 || dx == 3, one_y = dy == 1 || dy == 3;
    return (one_x && dy == 0) || (one_y && dx == 0) || (one_x && dx == dy);
  });
  for (int k = 1; k <= 3; ++k) {
    floydnet::WlOptions options;
    options.order = k;
    const bool apart = floydnet::wl_compare(rook, shrikhande, options).distinguished;
    std::printf("%d-%s: %s\n", k, k == 1 ? "WL" : "FWL", apart ? "told apart" : "not told apart");
  }
}
