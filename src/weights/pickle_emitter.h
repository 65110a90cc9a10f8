// Writes pickles and torch files by hand, valid and hostile ones, for tests and for seeds of
// fuzzing.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/little_endian.h"
#include "base/zip.h"
#include "weights/pickle_opcodes.h"

namespace floydnet::pickle {

class Emitter {
 public:
  explicit Emitter(uint8_t protocol = 2) { op(kProto).raw(std::string(1, as_char(protocol))); }

  Emitter& op(uint8_t opcode) { return raw(std::string(1, as_char(opcode))); }

  Emitter& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }

  Emitter& text(std::string_view value) {
    op(kBinUnicode);
    append_little_endian<uint32_t>(bytes_, static_cast<uint32_t>(value.size()));
    return raw(value);
  }

  Emitter& integer(int64_t value) {
    op(kLong1).op(8);
    append_little_endian<uint64_t>(bytes_, static_cast<uint64_t>(value));
    return *this;
  }

  Emitter& real(double value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    op(kBinFloat);
    for (int shift = 56; shift >= 0; shift -= 8) op(static_cast<uint8_t>(bits >> shift));
    return *this;
  }

  Emitter& global(const std::string& module, const std::string& name) {
    return op(kGlobal).raw(module + "\n" + name + "\n");
  }

  Emitter& put(uint8_t index) { return op(kBinPut).op(index); }
  Emitter& get(uint8_t index) { return op(kBinGet).op(index); }

  Emitter& integers(const std::vector<int64_t>& values) {
    op(kMark);
    for (const int64_t value : values) integer(value);
    return op(kTuple);
  }

  Emitter& ordered_dict() {
    return global("collections", "OrderedDict").op(kEmptyTuple).op(kReduce);
  }

  Emitter& storage(const std::string& type, const std::string& key, int64_t elements) {
    op(kMark).text("storage").global("torch", type).text(key).text("cpu").integer(elements);
    return op(kTuple).op(kBinPersId);
  }

  struct TensorSpec {
    std::string storage_type = "FloatStorage";
    std::string key = "0";
    int64_t elements = 0;
    int64_t offset = 0;
    std::vector<int64_t> shape;
    std::vector<int64_t> stride;
  };

  Emitter& tensor(const TensorSpec& spec) {
    global("torch._utils", "_rebuild_tensor_v2").op(kMark);
    storage(spec.storage_type, spec.key, spec.elements).integer(spec.offset);
    integers(spec.shape).integers(spec.stride).op(kNewFalse).ordered_dict();
    return op(kTuple).op(kReduce);
  }

  Emitter& bytes(std::string_view value) {
    op(kBinBytes);
    append_little_endian<uint32_t>(bytes_, static_cast<uint32_t>(value.size()));
    return raw(value);
  }

  /// A tensor as pickle.dump writes it; `stored` is what stored_within() gives.
  Emitter& tensor_within(std::string_view stored, const std::vector<int64_t>& shape,
                         const std::vector<int64_t>& stride) {
    global("torch._utils", "_rebuild_tensor_v2").op(kMark);
    global("torch.storage", "_load_from_bytes").bytes(stored).op(kTuple1).op(kReduce).integer(0);
    integers(shape).integers(stride).op(kNewFalse).ordered_dict();
    return op(kTuple).op(kReduce);
  }

  std::string stop() {
    op(kStop);
    return bytes_;
  }

 private:
  static char as_char(uint8_t byte) { return static_cast<char>(byte); }

  std::string bytes_;
};

/// The archive that torch.save makes of a pickle and its storages.
inline std::string torch_archive(std::string_view pickle,
                                 const std::map<std::string, std::string>& storages,
                                 bool deflate = false) {
  ZipWriter zip;
  zip.add("archive/data.pkl", pickle, deflate);
  zip.add("archive/byteorder", "little", false);
  for (const auto& [key, bytes] : storages) zip.add("archive/data/" + key, bytes, deflate);
  zip.add("archive/version", "3\n", false);
  return zip.finish();
}

/// A storage as plainly pickled tensors bring it.
inline std::string stored_within(const std::string& type, int64_t elements,
                                 std::string_view content) {
  const std::string magic("\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.", 21);
  Emitter system;
  system.op(kEmptyDict).text("little_endian").op(kNewTrue).op(kSetItem);
  Emitter storage;
  storage.op(kMark).text("storage").global("torch", type).text("7").text("cpu").integer(elements);
  storage.op(kNone).op(kTuple).op(kBinPersId);
  Emitter keys;
  keys.op(kEmptyList).text("7").op(kAppend);
  std::string bytes = magic + system.stop() + storage.stop() + keys.stop();
  append_little_endian<uint64_t>(bytes, static_cast<uint64_t>(elements));
  return bytes.append(content);
}

/// What a trainer saves: a state dict among scalars, with a list as optimizers have.
inline std::string training_pickle() {
  Emitter emitter;
  emitter.op(kEmptyDict).put(0).op(kMark);
  emitter.text("epoch").op(kBinInt1).op(3);
  emitter.text("model_state_dict").ordered_dict().put(1).op(kMark);
  emitter.text("a.weight").tensor({"FloatStorage", "0", 6, 0, {2, 3}, {3, 1}});
  emitter.text("a.transposed").tensor({"FloatStorage", "0", 6, 0, {3, 2}, {1, 3}});
  emitter.text("steps").tensor({"LongStorage", "1", 1, 0, {}, {}}).op(kSetItems);
  emitter.op(kEmptyDict).text("_metadata").ordered_dict().op(kSetItem).op(kBuild);
  emitter.text("groups").op(kEmptyList).op(kMark);
  emitter.real(0.5).op(kNone).op(kNewTrue).op(kAppends);
  return emitter.op(kSetItems).stop();
}

/// Storages for training_pickle(): the floats 0..5 and the integer 7.
inline std::map<std::string, std::string> training_storages() {
  std::string floats;
  for (const float value : {0.f, 1.f, 2.f, 3.f, 4.f, 5.f}) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    append_little_endian(floats, bits);
  }
  std::string integer;
  append_little_endian<uint64_t>(integer, 7);
  return {{"0", floats}, {"1", integer}};
}

}  // namespace floydnet::pickle
