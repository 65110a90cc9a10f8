/// \file
/// Reading and writing named tensors on disk, without libtorch and without running any code that a
/// file carries: safetensors (our native format) and PyTorch's .pt files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "floydnet/export.h"

namespace floydnet {

/// Element types, spelled as safetensors spells them.
enum class DType { kBool, kU8, kI8, kI16, kI32, kI64, kF16, kBF16, kF32, kF64 };

FLOYDNET_EXPORT int64_t item_size(DType type);
FLOYDNET_EXPORT const char* name(DType type);  ///< "F32", "I64", ...

/// One tensor as stored: C order, little-endian.
struct FLOYDNET_EXPORT StoredTensor {
  DType type = DType::kF32;
  std::vector<int64_t> shape;
  std::string bytes;

  int64_t elements() const;
};

/// Named tensors and free-form text about them.
struct TensorFile {
  std::map<std::string, StoredTensor> tensors;
  std::map<std::string, std::string> metadata;
  /// Whether it was read from a file that holds a checksum, which was right.
  bool verified = false;
};

FLOYDNET_EXPORT bool operator==(const StoredTensor& a, const StoredTensor& b);
FLOYDNET_EXPORT bool operator==(const TensorFile& a, const TensorFile& b);

// --- safetensors ---------------------------------------------------------------------------------

/// The largest header that is accepted, as in the format's own implementation.
constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

/// Validates everything before it copies anything: header length, JSON with duplicate keys refused,
/// types, shapes, and offsets that cover the data exactly, without holes or overlaps. A checksum
/// among the metadata ("floydnet.crc32") must be right, and is taken out.
FLOYDNET_EXPORT TensorFile parse_safetensors(std::string_view bytes,
                                             const std::string& source = "safetensors");
/// With a checksum. std::invalid_argument if bytes do not fit their shape or a name or text is not
/// UTF-8.
FLOYDNET_EXPORT std::string format_safetensors(const TensorFile& file);
FLOYDNET_EXPORT TensorFile read_safetensors(const std::string& path);
/// Atomic: the file appears whole under its name, or not at all.
FLOYDNET_EXPORT void write_safetensors(const std::string& path, const TensorFile& file);

// --- PyTorch .pt ---------------------------------------------------------------------------------

/// Reads the tensors of a file written by torch.save in its zip form: a state dict, or a dict that
/// holds one (as trainers save it) among numbers and strings. Nested dicts give dotted names, so
/// {"model_state_dict": {"w": t}} gives "model_state_dict.w", and lists give numbers as parts
/// ("state.0.exp_avg"). Scalars become metadata: strings as they are, the others as JSON writes
/// them (true, 3, 0.5, null). Only the pickle instructions of such dicts are understood; any other
/// class or function is refused by name.
FLOYDNET_EXPORT TensorFile parse_torch_file(std::string_view bytes,
                                            const std::string& source = "pt");
FLOYDNET_EXPORT TensorFile read_torch_file(const std::string& path);

}  // namespace floydnet
