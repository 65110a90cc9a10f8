#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "fuzz.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const NpzArchive archive = parse_npz(fuzz_text(data, size), "fuzz", 1 << 20);
    fuzz_require(parse_npz(format_npz(archive, false)) == archive);
    fuzz_require(parse_npz(format_npz(archive, true)) == archive);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  NpzArchive archive;
  std::vector<std::string> seeds = {format_npz(archive)};
  archive["a"] = NpyArray::from<double>({1, 2, 3}, {3});
  seeds.push_back(format_npz(archive));
  archive["folder/b"] = NpyArray::from_strings({"DQc", "?"}, {2});
  archive["zeros"] = NpyArray::from(std::vector<int64_t>(500), {5, 100});
  seeds.push_back(format_npz(archive));
  seeds.push_back(format_npz(archive, true));
  return seeds;
}
