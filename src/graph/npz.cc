#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "base/zip.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "graph/npy_header.h"

namespace floydnet {
namespace {

constexpr std::string_view kSuffix = ".npy";

bool is_array(std::string_view name) {
  return name.size() >= kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix;
}

/// Looks at the header alone, so that a member that inflates to anything but its array is refused
/// before it takes memory.
void check_member(const ZipReader& zip, const ZipReader::Member& member, const std::string& source,
                  int64_t max_bytes) {
  const std::string start = zip.read_start(member, kMaxNpyHeaderBytes);
  const NpyHeader header = parse_npy_header(start, source, max_bytes);
  if (member.size != header.data_offset + static_cast<uint64_t>(header.data_bytes)) {
    throw InputError::in(source, "the member has " + std::to_string(member.size) +
                                     " bytes, but its header announces " +
                                     std::to_string(header.data_offset) + " + " +
                                     std::to_string(header.data_bytes));
  }
}

}  // namespace

NpzArchive parse_npz(std::string_view bytes, const std::string& source, int64_t max_bytes) {
  const ZipReader zip(bytes, source);
  NpzArchive archive;
  int64_t left = max_bytes;
  for (const ZipReader::Member& member : zip.members()) {
    if (!is_array(member.name)) {
      throw InputError::in(source, "member " + in_quotes(member.name) + " is not an .npy array");
    }
    const std::string member_source = source + ": " + in_quotes(member.name);
    check_member(zip, member, member_source, left);
    NpyArray array = parse_npy(zip.read(member, member.size), member_source, left);
    left -= static_cast<int64_t>(array.bytes.size());
    archive.emplace(member.name.substr(0, member.name.size() - kSuffix.size()), std::move(array));
  }
  return archive;
}

std::string format_npz(const NpzArchive& archive, bool deflate) {
  ZipWriter writer;
  for (const auto& [name, array] : archive) {
    writer.add(name + std::string(kSuffix), format_npy(array), deflate);
  }
  return writer.finish();
}

NpzArchive read_npz(const std::string& path, int64_t max_bytes) {
  // Headers and the directory come on top of the arrays.
  constexpr uint64_t kOverhead = uint64_t{1} << 30;
  const uint64_t max_file = kOverhead + static_cast<uint64_t>(std::max<int64_t>(max_bytes, 0));
  return parse_npz(read_file(path, max_file), path, max_bytes);
}

void write_npz(const std::string& path, const NpzArchive& archive, bool deflate) {
  write_file_atomically(path, format_npz(archive, deflate));
}

}  // namespace floydnet
