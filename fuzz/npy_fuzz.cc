#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "fuzz.h"

using namespace floydnet;

namespace {

/// Conversions either give all elements or refuse.
template <typename Convert>
void convert_or_refuse(const NpyArray& array, Convert convert) {
  try {
    fuzz_require(static_cast<int64_t>(convert().size()) == array.elements());
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const NpyArray array = parse_npy(fuzz_text(data, size), "fuzz", 1 << 20);
    fuzz_require(array.elements() * array.item_size == static_cast<int64_t>(array.bytes.size()));
    fuzz_require(parse_npy(format_npy(array)) == array);
    convert_or_refuse(array, [&] { return array.as<double>(); });
    convert_or_refuse(array, [&] { return array.as<float>(); });
    convert_or_refuse(array, [&] { return array.as<int64_t>(); });
    convert_or_refuse(array, [&] { return array.as<uint8_t>(); });
    convert_or_refuse(array, [&] { return array.strings(); });
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {
      format_npy(NpyArray::from<double>({1, 2.5, -3, 1e300, 0, 6}, {2, 3})),
      format_npy(NpyArray::from<float>({1, 2}, {2})),
      format_npy(NpyArray::from<int64_t>({INT64_MIN, INT64_MAX}, {2})),
      format_npy(NpyArray::from<uint8_t>({0, 255}, {2, 1})),
      format_npy(NpyArray::from<int32_t>({}, {0, 4})),
      format_npy(NpyArray::from_strings({"DQc", "?", ""}, {3})),
  };
  const auto changed = [&](size_t seed, const std::string& from, const std::string& to) {
    std::string bytes = seeds[seed];
    bytes.replace(bytes.find(from), from.size(), to);
    return bytes;
  };
  seeds.push_back(changed(0, "False", "True "));
  seeds.push_back(changed(0, "'<f8'", "'>f8'"));
  seeds.push_back(changed(1, "'<f4', 'fortran_order': False, 'shape': (2,)",
                          "'<f2', 'fortran_order': False, 'shape': (4,)"));
  seeds.push_back(changed(3, "|u1", "|b1"));
  seeds.push_back(changed(1, "<f4", "<U1"));
  return seeds;
}
