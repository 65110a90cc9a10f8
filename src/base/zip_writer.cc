#include <stdexcept>
#include <utility>

#include "base/inflate.h"
#include "base/little_endian.h"
#include "base/text.h"
#include "base/zip.h"
#include "base/zip_format.h"

namespace floydnet {
namespace {

constexpr uint16_t kVersionNeeded = 20;       // deflate
constexpr uint16_t kZip64VersionNeeded = 45;  // zip64
constexpr uint16_t kNoTime = 0;
constexpr uint16_t kFirstDay = 1 << 5 | 1;  // 1 January 1980, the earliest that the format has

/// A member as both of its headers describe it.
struct Record {
  std::string_view name;
  uint16_t method = zip::kStored;
  uint32_t crc32 = 0;
  uint64_t compressed_size = 0;
  uint64_t size = 0;
  uint64_t header_offset = 0;

  bool wide_sizes() const { return compressed_size >= zip::kNoFit32 || size >= zip::kNoFit32; }
  bool wide_offset() const { return header_offset >= zip::kNoFit32; }
};

uint32_t narrow(uint64_t value, bool wide) {
  return wide ? zip::kNoFit32 : static_cast<uint32_t>(value);
}

std::string zip64_extra(const Record& record, bool with_offset) {
  std::string values;
  if (record.wide_sizes()) {
    append_little_endian(values, record.size);
    append_little_endian(values, record.compressed_size);
  }
  if (with_offset) append_little_endian(values, record.header_offset);
  if (values.empty()) return values;
  std::string extra;
  append_little_endian(extra, zip::kZip64Extra);
  append_little_endian(extra, static_cast<uint16_t>(values.size()));
  return extra + values;
}

/// The fields that the local and the central header have in common and in the same order.
void append_common(std::string& bytes, const Record& record, const std::string& extra) {
  append_little_endian(bytes, extra.empty() ? kVersionNeeded : kZip64VersionNeeded);
  append_little_endian(bytes, zip::kUtf8NameFlag);
  append_little_endian(bytes, record.method);
  append_little_endian(bytes, kNoTime);
  append_little_endian(bytes, kFirstDay);
  append_little_endian(bytes, record.crc32);
  append_little_endian(bytes, narrow(record.compressed_size, record.wide_sizes()));
  append_little_endian(bytes, narrow(record.size, record.wide_sizes()));
  append_little_endian(bytes, static_cast<uint16_t>(record.name.size()));
  append_little_endian(bytes, static_cast<uint16_t>(extra.size()));
}

void append_local_header(std::string& bytes, const Record& record) {
  const std::string extra = zip64_extra(record, false);
  append_little_endian(bytes, zip::kLocalHeader);
  append_common(bytes, record, extra);
  bytes.append(record.name).append(extra);
}

void append_central_header(std::string& bytes, const Record& record) {
  const std::string extra = zip64_extra(record, record.wide_offset());
  append_little_endian(bytes, zip::kCentralHeader);
  append_little_endian(bytes, extra.empty() ? kVersionNeeded : kZip64VersionNeeded);  // made by
  append_common(bytes, record, extra);
  append_little_endian(bytes, uint16_t{0});  // length of the comment
  append_little_endian(bytes, uint16_t{0});  // disk
  append_little_endian(bytes, uint16_t{0});  // internal attributes
  append_little_endian(bytes, uint32_t{0});  // external attributes
  append_little_endian(bytes, narrow(record.header_offset, record.wide_offset()));
  bytes.append(record.name).append(extra);
}

void append_zip64_end(std::string& bytes, uint64_t count, uint64_t size, uint64_t offset) {
  const uint64_t record = bytes.size();
  append_little_endian(bytes, zip::kZip64EndRecord);
  append_little_endian(bytes, zip::kZip64EndRecordSize - 12);  // what follows this field
  append_little_endian(bytes, kZip64VersionNeeded);            // made by
  append_little_endian(bytes, kZip64VersionNeeded);
  append_little_endian(bytes, uint32_t{0});  // this disk
  append_little_endian(bytes, uint32_t{0});  // the directory's disk
  append_little_endian(bytes, count);
  append_little_endian(bytes, count);
  append_little_endian(bytes, size);
  append_little_endian(bytes, offset);
  append_little_endian(bytes, zip::kZip64Locator);
  append_little_endian(bytes, uint32_t{0});  // the record's disk
  append_little_endian(bytes, record);
  append_little_endian(bytes, uint32_t{1});  // disks
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view content, bool deflate) {
  if (name.size() > zip::kNoFit16) {
    throw std::invalid_argument("a ZIP member's name has at most 65535 bytes, not " +
                                std::to_string(name.size()));
  }
  if (!names_.insert(name).second) {
    throw std::invalid_argument("the ZIP archive has a member " + in_quotes(name) + " already");
  }
  std::string deflated;
  if (deflate) deflated = deflate_raw(content);
  const bool smaller = deflate && deflated.size() < content.size();
  const std::string_view data = smaller ? deflated : content;

  Record record;
  record.name = name;
  record.method = smaller ? zip::kDeflated : zip::kStored;
  record.crc32 = crc32_of(content);
  record.compressed_size = data.size();
  record.size = content.size();
  record.header_offset = bytes_.size();
  append_local_header(bytes_, record);
  bytes_ += data;
  append_central_header(directory_, record);
}

std::string ZipWriter::finish() {
  const uint64_t count = names_.size();
  const uint64_t size = directory_.size();
  const uint64_t offset = bytes_.size();
  const bool wide = count >= zip::kNoFit16 || size >= zip::kNoFit32 || offset >= zip::kNoFit32;
  bytes_ += directory_;
  if (wide) append_zip64_end(bytes_, count, size, offset);

  const uint16_t narrow_count = wide ? zip::kNoFit16 : static_cast<uint16_t>(count);
  append_little_endian(bytes_, zip::kEndRecord);
  append_little_endian(bytes_, uint16_t{0});  // this disk
  append_little_endian(bytes_, uint16_t{0});  // the directory's disk
  append_little_endian(bytes_, narrow_count);
  append_little_endian(bytes_, narrow_count);
  append_little_endian(bytes_, narrow(size, wide));
  append_little_endian(bytes_, narrow(offset, wide));
  append_little_endian(bytes_, uint16_t{0});  // length of the comment
  directory_.clear();
  names_.clear();
  return std::exchange(bytes_, {});
}

}  // namespace floydnet
