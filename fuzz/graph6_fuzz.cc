#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "fuzz.h"
#include "graph/test_graphs.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  GraphLimits limits;
  limits.max_nodes = 3000;
  try {
    const std::string_view text = fuzz_text(data, size);
    const Graph graph = parse_graph(text, "fuzz", limits);
    fuzz_require(static_cast<uint64_t>(graph.nodes()) <= 3000);
    const GraphFormat format = graph.directed()              ? GraphFormat::kDigraph6
                               : text.find(':') != text.npos ? GraphFormat::kSparse6
                                                             : GraphFormat::kGraph6;
    const std::string formatted = format_graph(graph, format);
    const Graph again = parse_graph(formatted, "again", limits);
    fuzz_require(same_graph(again, graph));
    fuzz_require(format_graph(again, format) == formatted);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {"?", "DQc", ">>graph6<<DQc", "&DI?AO?", ":Fa@x^", ":A", "~??~"};
  for (const int64_t nodes : {2, 4, 9, 16, 33, 70}) {
    const auto seed = static_cast<uint32_t>(nodes);
    seeds.push_back(format_graph(RandomGraph{}(nodes, seed), GraphFormat::kGraph6));
    seeds.push_back(format_graph(RandomGraph{true, true}(nodes, seed), GraphFormat::kDigraph6));
    seeds.push_back(format_graph(RandomGraph{false, true}(nodes, seed), GraphFormat::kSparse6));
  }
  return seeds;
}
