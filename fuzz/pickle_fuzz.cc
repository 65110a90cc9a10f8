// The pickle of a .pt file whose archive and storages are sound.
#include "floydnet/error.h"
#include "floydnet/weights.h"
#include "fuzz.h"
#include "weights/pickle_emitter.h"
#include "weights_round_trip.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto storages = pickle::training_storages();
  const std::string archive = pickle::torch_archive(fuzz_text(data, size), storages);
  try {
    require_round_trip(parse_torch_file(archive));
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  using namespace pickle;
  Emitter strided;
  strided.op(kEmptyDict).text("w").tensor({"ByteStorage", "1", 8, 1, {2, 3}, {0, 2}}).op(kSetItem);
  Emitter cycle;
  cycle.op(kEmptyDict).put(0).text("me").get(0).op(kSetItem);
  Emitter modern(4);
  modern.op(kEmptyDict).op(kMemoize).op(kShortBinUnicode).raw("\x01k");
  modern.text("collections").text("OrderedDict").op(kStackGlobal).op(kEmptyTuple).op(kReduce);
  modern.op(kSetItem);
  return {training_pickle(), strided.stop(), cycle.stop(), modern.stop()};
}
