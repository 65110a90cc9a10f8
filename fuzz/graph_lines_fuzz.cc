#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/data/graph_file.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    graphs::parse_graph_lines(fuzz_text(data, size)).check();
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {
      "{\"nodes\": 2, \"edges\": [[0, 1]], \"node_x\": [1, null], \"graph_y\": 1.5}\n"
      "{\"nodes\": 1, \"node_x\": [3], \"graph_y\": 2}",
      R"({"nodes": 2, "directed": true, "pairs": [[1, 0]], "pair_c": [[1, 2]], "split": "val"})",
      R"({"nodes": 1, "pair_z": [1e30], "name": "x"})", "{}"};
}
