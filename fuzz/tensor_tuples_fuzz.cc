// Lists of tuples of tensors as plain pickles, and the pickle of an archive that is sound.
#include "floydnet/error.h"
#include "fuzz.h"
#include "weights/pickle_emitter.h"
#include "weights/tensor_tuples.h"

using namespace floydnet;

namespace {

void try_list(std::string_view bytes) {
  try {
    parse_tensor_tuples(bytes, "fuzz", [](int64_t, int64_t, std::vector<StoredTensor> tuple) {
      for (const StoredTensor& tensor : tuple) {
        fuzz_require(tensor.elements() * item_size(tensor.type) ==
                     static_cast<int64_t>(tensor.bytes.size()));
      }
    });
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto storages = pickle::training_storages();
  try_list(fuzz_text(data, size));
  try_list(pickle::torch_archive(fuzz_text(data, size), storages));
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  using namespace pickle;
  Emitter within(4);
  within.op(kEmptyList);
  within.tensor_within(stored_within("ByteStorage", 4, "abcd"), {2, 2}, {2, 1});
  within.op(kEmptyList).integer(3).op(kAppend).op(kTuple2).op(kAppend);
  Emitter beside;
  beside.op(kEmptyList).tensor({"FloatStorage", "0", 6, 1, {2, 2}, {2, 1}});
  beside.tensor({"LongStorage", "1", 1, 0, {1}, {1}}).op(kTuple2).op(kAppend);
  return {within.stop(), beside.stop(), stored_within("LongStorage", 0, "")};
}
