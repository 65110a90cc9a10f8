// A .pt file as a whole; the checksums of the archive stop most changes of the pickle in it, which
// pickle_fuzz tries instead.
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "fuzz.h"
#include "weights/pickle_emitter.h"
#include "weights_round_trip.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    require_round_trip(parse_torch_file(fuzz_text(data, size)));
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  using namespace pickle;
  return {torch_archive(training_pickle(), training_storages()),
          torch_archive(training_pickle(), training_storages(), true),
          torch_archive(Emitter().op(kEmptyDict).stop(), {})};
}
