#include "weights/torch_archive.h"

#include <fmt/format.h>

#include "base/text.h"
#include "floydnet/error.h"
#include "weights/stored_tensor.h"

namespace floydnet {

Allowance::Allowance(uint64_t file_bytes, const std::string& source)
    : limit_(16 * file_bytes + (uint64_t{64} << 20)), left_(limit_), source_(source) {}

void Allowance::spend(uint64_t bytes) {
  if (bytes > left_) {
    throw InputError::in(source_,
                         fmt::format("unpacks to more than {} bytes, far beyond its size; save "
                                     "expanded tensors with .contiguous()",
                                     limit_));
  }
  left_ -= bytes;
}

TorchArchive::TorchArchive(std::string_view bytes, const std::string& source)
    : source_(source), zip_(bytes, source), folder_(find_folder()) {
  check_version();
  check_byteorder();
  find_storages();
}

std::string TorchArchive::pickle(uint64_t max_bytes) const {
  return zip_.read(*zip_.find(folder_ + "data.pkl"), max_bytes);
}

// Torch names the folder after the file, or "archive".
std::string TorchArchive::find_folder() const {
  const std::string suffix = "/data.pkl";
  std::optional<std::string> folder;
  for (const ZipReader::Member& member : zip_.members()) {
    const size_t slash = member.name.find('/');
    if (slash == std::string::npos || member.name.substr(slash) != suffix) continue;
    if (folder) throw InputError::in(source_, "has more than one data.pkl");
    folder = member.name.substr(0, slash + 1);
  }
  if (!folder) throw InputError::in(source_, "has no data.pkl, so torch.save did not write it");
  return *folder;
}

void TorchArchive::find_storages() {
  const std::string prefix = folder_ + "data/";
  for (const ZipReader::Member& member : zip_.members()) {
    const std::string_view name = member.name;
    if (name.substr(0, prefix.size()) == prefix) storages_[name.substr(prefix.size())] = &member;
  }
}

// The text of a small member without white space at its end; nullopt if there is no such member.
std::optional<std::string> TorchArchive::label(const std::string& name) const {
  constexpr uint64_t kLongest = 32;
  const ZipReader::Member* member = zip_.find(folder_ + name);
  if (member == nullptr) return std::nullopt;
  std::string text = zip_.read(*member, kLongest);
  return text.erase(text.find_last_not_of(" \r\n") + 1);
}

// Torch reads the versions 1 to 10; they differ in TorchScript only.
void TorchArchive::check_version() const {
  const std::optional<std::string> version = label("version");
  if (!version) throw InputError::in(source_, "has no version, so torch.save did not write it");
  const bool digit = version->size() == 1 && (*version)[0] >= '1' && (*version)[0] <= '9';
  if (!digit && *version != "10") {
    throw InputError::in(source_, "has the unknown version " + in_quotes(*version));
  }
}

void TorchArchive::check_byteorder() const {
  const std::optional<std::string> order = label("byteorder");
  if (order && *order != "little") {
    throw InputError::in(source_, "has the byte order " + in_quotes(*order) +
                                      "; save it again on a little-endian machine");
  }
}

const ZipReader::Member& TorchArchive::storage(const pickle::Storage& storage,
                                               const std::string& tensor) const {
  const auto found = storages_.find(storage.key);
  if (storage.within || found == storages_.end()) {
    throw InputError::in(source_, fmt::format("{} lies in the storage {}, which is missing", tensor,
                                              in_quotes(storage.key)));
  }
  const ZipReader::Member& member = *found->second;
  const std::optional<int64_t> bytes = byte_size(storage.type, {storage.elements});
  if (!bytes || static_cast<uint64_t>(*bytes) != member.size) {
    throw InputError::in(
        source_, fmt::format("{} lies in a storage of {} {}, but that holds {} bytes", tensor,
                             storage.elements, name(storage.type), member.size));
  }
  return member;
}

StridedView checked_view(const pickle::Tensor& tensor, const pickle::Tree& tree,
                         const std::string& source, const std::string& name, Allowance& allowance) {
  StridedView view{tensor.offset, tree.integers(tensor.shape), tree.integers(tensor.stride)};
  if (const auto problem = misfit(view, tensor.storage.elements)) {
    throw InputError::in(source, name + " " + *problem);
  }
  const std::optional<int64_t> bytes = byte_size(tensor.storage.type, view.shape);
  if (!bytes) {
    throw InputError::in(source,
                         name + " has a shape that is too large: " + shape_text(view.shape));
  }
  allowance.spend(static_cast<uint64_t>(*bytes));
  return view;
}

}  // namespace floydnet
