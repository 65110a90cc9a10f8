// What foreign languages hand to the C functions: the first line of an input is the function and
// its text argument, the rest its options. Whatever is refused is refused as bad input or misuse.
#include <memory>
#include <nlohmann/json.hpp>

#include "floydnet/c.h"
#include "fuzz.h"

namespace {

struct Free {
  void operator()(floydnet_arrays* arrays) const { floydnet_arrays_free(arrays); }
  void operator()(floydnet_graph* graph) const { floydnet_graph_free(graph); }
  void operator()(floydnet_samples* samples) const { floydnet_clrs_free(samples); }
};

/// Owns what a function gave; null must come with a message and a kind that blames the caller.
template <typename Handle>
std::unique_ptr<Handle, Free> checked(Handle* handle) {
  if (handle == nullptr) {
    constexpr int kInput = 1, kMisuse = 2;
    fuzz_require(floydnet_error_kind() == kInput || floydnet_error_kind() == kMisuse);
    fuzz_require(*floydnet_error() != '\0');
  }
  return std::unique_ptr<Handle, Free>(handle);
}

/// Reads the first and last byte of every array, which a sanitizer watches.
void read_all(const floydnet_arrays* arrays) {
  for (int64_t i = 0; arrays != nullptr && i < floydnet_arrays_count(arrays); ++i) {
    fuzz_require(*floydnet_arrays_name(arrays, i) != '\0');
    int64_t items = 1;
    for (int64_t d = 0; d < floydnet_arrays_dimensions(arrays, i); ++d) {
      items *= floydnet_arrays_shape(arrays, i)[d];
    }
    const int64_t bytes = items * std::atoll(floydnet_arrays_type(arrays, i) + 1);
    const auto* data = static_cast<const volatile char*>(floydnet_arrays_data(arrays, i));
    if (bytes > 0) fuzz_require((data[0] | data[bytes - 1]) <= 255);
  }
}

/// Whether options ask for little enough work to be done thousands of times.
bool is_cheap(const std::string& options) {
  const auto object = nlohmann::json::parse(options, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return true;
  const auto at_most = [&](const char* key, int64_t most) {
    const auto found = object.find(key);
    return found == object.end() || !found->is_number() || found->get<double>() <= most;
  };
  return at_most("length", 12) && at_most("threads", 2) && at_most("needle_length", 12);
}

void run(const std::string& function, const std::string& argument, const std::string& options) {
  constexpr int64_t kCycle[] = {0, 1, 1, 2, 2, 3, 3, 0};
  constexpr int64_t kWeights[] = {0, 3, 4, 2, 3, 0, 5, 6, 4, 5, 0, 7, 2, 6, 7, 0};
  if (function == "clrs") {
    const auto samples = checked(floydnet_clrs_samples(argument.c_str(), options.c_str()));
    if (samples != nullptr) read_all(checked(floydnet_clrs_next(samples.get(), 2)).get());
  } else if (function == "graph") {
    const auto graph = checked(floydnet_graph_parse(argument.c_str()));
    if (graph != nullptr) read_all(checked(floydnet_graph_arrays(graph.get())).get());
  } else if (function == "wl" || function == "count") {
    const auto graph = checked(floydnet_graph_new(4, kCycle, 4, 0));
    const floydnet_graph* list[] = {graph.get(), graph.get()};
    read_all(checked(function == "wl" ? floydnet_wl_compare(list[0], list[1], options.c_str())
                                      : floydnet_count(list, 2, argument.c_str(), options.c_str()))
                 .get());
  } else if (function == "solve") {
    read_all(checked(floydnet_tsp_solve(kWeights, 4, options.c_str())).get());
  } else if (function == "verify") {
    read_all(checked(floydnet_tsp_verify(kWeights, 4, options.c_str())).get());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(fuzz_text(data, size));
  const size_t end = std::min(input.find('\n'), size), space = std::min(input.find(' '), end);
  const std::string options = input.substr(std::min(end + 1, size));
  const std::string argument =
      input.substr(std::min(space + 1, end), end - std::min(space + 1, end));
  if (is_cheap(options)) run(input.substr(0, space), argument, options);
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"clrs bfs\n{\"length\": 6, \"seed\": 3, \"hints\": true, \"edge_probabilities\": [0.5]}",
          "clrs kmp_matcher\n{\"length\": 10, \"needle_length\": 3, \"hints\": false}",
          "graph Dhc",
          "wl \n{\"order\": 2, \"rounds\": -1, \"threads\": 1, \"max_bytes\": 1000000, "
          "\"evaluation\": \"auto\"}",
          "count cycle3,cycle4\n{\"nodes\": true, \"pairs\": false, \"threads\": 1}",
          "solve \n{\"seed\": 1, \"time_limit\": 1.5, \"certificate\": true}",
          "verify \n{\"format\": \"floydnet tsp certificate 1\", \"tour\": [0, 1, 2, 3]}"};
}
