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
  std::string name;
  uint16_t method = zip::kStored;
  uint16_t flags = zip::kUtf8NameFlag;
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
  append_little_endian(bytes, record.flags);
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
  const uint64_t record = offset + size;
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

/// The directory of `count` members, which starts at `offset`, and the records that end the
/// archive.
std::string end_of_archive(const std::string& directory, uint64_t count, uint64_t offset) {
  const uint64_t size = directory.size();
  const bool wide = count >= zip::kNoFit16 || size >= zip::kNoFit32 || offset >= zip::kNoFit32;
  std::string bytes = directory;
  if (wide) append_zip64_end(bytes, count, size, offset);

  const uint16_t narrow_count = wide ? zip::kNoFit16 : static_cast<uint16_t>(count);
  append_little_endian(bytes, zip::kEndRecord);
  append_little_endian(bytes, uint16_t{0});  // this disk
  append_little_endian(bytes, uint16_t{0});  // the directory's disk
  append_little_endian(bytes, narrow_count);
  append_little_endian(bytes, narrow_count);
  append_little_endian(bytes, narrow(size, wide));
  append_little_endian(bytes, narrow(offset, wide));
  append_little_endian(bytes, uint16_t{0});  // length of the comment
  return bytes;
}

void take_name(const std::string& name, std::set<std::string>& names) {
  if (name.size() > zip::kNoFit16) {
    throw std::invalid_argument("a ZIP member's name has at most 65535 bytes, not " +
                                std::to_string(name.size()));
  }
  if (!names.insert(name).second) {
    throw std::invalid_argument("the ZIP archive has a member " + in_quotes(name) + " already");
  }
}

/// What the local header of a member says whose CRC follows its data.
Record without_crc(Record record) {
  record.crc32 = 0;
  if (!record.wide_sizes()) record.size = record.compressed_size = 0;
  return record;
}

std::string data_descriptor(const Record& record) {
  std::string bytes;
  append_little_endian(bytes, zip::kDataDescriptor);
  append_little_endian(bytes, record.crc32);
  for (const uint64_t size : {record.compressed_size, record.size}) {
    if (record.wide_sizes()) {
      append_little_endian(bytes, size);
    } else {
      append_little_endian(bytes, static_cast<uint32_t>(size));
    }
  }
  return bytes;
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view content, bool deflate) {
  take_name(name, names_);
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
  bytes_ += end_of_archive(directory_, names_.size(), bytes_.size());
  directory_.clear();
  names_.clear();
  return std::exchange(bytes_, {});
}

struct ZipStream::Member {
  Record record;
  uint64_t left = 0;  // bytes to come
};

ZipStream::ZipStream(Sink sink) : sink_(std::move(sink)) {}

ZipStream::~ZipStream() = default;

void ZipStream::write(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void ZipStream::begin(const std::string& name, uint64_t size) {
  end_member();
  take_name(name, names_);
  member_ = std::make_unique<Member>();
  member_->record.name = name;
  member_->record.flags |= zip::kDataDescriptorFlag;
  member_->record.compressed_size = member_->record.size = size;
  member_->record.header_offset = written_;
  member_->left = size;
  std::string header;
  append_local_header(header, without_crc(member_->record));
  write(header);
}

void ZipStream::append(std::string_view content) {
  if (!member_ || content.size() > member_->left) {
    throw std::invalid_argument("a ZIP member takes " +
                                std::to_string(member_ ? member_->left : 0) + " more bytes, not " +
                                std::to_string(content.size()));
  }
  member_->record.crc32 = crc32_of(content, member_->record.crc32);
  member_->left -= content.size();
  write(content);
}

void ZipStream::end_member() {
  if (!member_) return;
  if (member_->left != 0) {
    throw std::invalid_argument("ZIP member " + in_quotes(member_->record.name) + " lacks " +
                                std::to_string(member_->left) + " bytes");
  }
  write(data_descriptor(member_->record));
  append_central_header(directory_, member_->record);
  member_.reset();
}

void ZipStream::finish() {
  end_member();
  write(end_of_archive(directory_, names_.size(), written_));
}

}  // namespace floydnet
