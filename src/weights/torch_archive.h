// The archive that torch.save writes, and views of its storages.
//
// Layout: a zip archive with, in one folder, data.pkl (the pickled object), data/<key> (the
// storages), version, and in newer files byteorder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/zip.h"
#include "weights/pickle.h"
#include "weights/strided.h"

namespace floydnet {

/// What a file may unpack to. Tied weights and expanded tensors are stored once and read several
/// times, and shared values are visited for each of their names; so a small file could ask for any
/// amount of memory.
class Allowance {
 public:
  Allowance(uint64_t file_bytes, const std::string& source);

  /// InputError if that is more than is left.
  void spend(uint64_t bytes);

 private:
  const uint64_t limit_;
  uint64_t left_;
  const std::string source_;
};

class TorchArchive {
 public:
  /// `bytes` must outlive it. InputError unless torch.save could have written them.
  TorchArchive(std::string_view bytes, const std::string& source);

  std::string pickle(uint64_t max_bytes) const;
  /// The member of a storage, which has its size; `tensor` names who wants it in messages.
  const ZipReader::Member& storage(const pickle::Storage& storage, const std::string& tensor) const;
  std::string read(const ZipReader::Member& member) const { return zip_.read(member, member.size); }

 private:
  std::string find_folder() const;
  void find_storages();
  std::optional<std::string> label(const std::string& name) const;
  void check_version() const;
  void check_byteorder() const;

  const std::string source_;
  const ZipReader zip_;
  const std::string folder_;
  std::map<std::string_view, const ZipReader::Member*> storages_;  // by key
};

/// A tensor's view, which lies within its storage; its bytes are spent. InputError names `source`
/// and `tensor`.
StridedView checked_view(const pickle::Tensor& tensor, const pickle::Tree& tree,
                         const std::string& source, const std::string& name, Allowance& allowance);

}  // namespace floydnet
