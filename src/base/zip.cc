#include "base/zip.h"

#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "base/inflate.h"
#include "base/little_endian.h"
#include "base/text.h"
#include "base/zip_format.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

using Member = ZipReader::Member;

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t count = 0;
};

/// A member with what is needed only to find its data.
struct Entry {
  Member member;
  uint64_t position = 0;       // of the entry in the archive
  uint64_t header_offset = 0;  // of the local header
  uint16_t flags = 0;
  uint16_t method = 0;
  uint64_t end = 0;  // of the entry in the archive
};

std::string method_name(uint16_t method) {
  static constexpr std::pair<uint16_t, const char*> kNames[] = {
      {1, "shrink"}, {6, "implode"},    {9, "deflate64"}, {12, "bzip2"},
      {14, "LZMA"},  {93, "Zstandard"}, {95, "XZ"},       {99, "AES encryption"}};
  for (const auto& [number, name] : kNames) {
    if (number == method) return name;
  }
  return "number " + std::to_string(method);
}

/// The payload of an extra field, or nothing.
std::string_view find_extra(std::string_view extra, uint16_t id) {
  while (extra.size() >= 4) {
    const auto found = load_little_endian<uint16_t>(extra, 0);
    const auto size = load_little_endian<uint16_t>(extra, 2);
    if (size > extra.size() - 4) return {};
    if (found == id) return extra.substr(4, size);
    extra.remove_prefix(4 + uint64_t{size});
  }
  return {};
}

/// Values whose 32-bit field is all ones stand, in this order, in the zip64 extra field. Without
/// that field they are taken as they are.
void widen(std::string_view extra, std::initializer_list<uint64_t*> values) {
  std::string_view wide = find_extra(extra, zip::kZip64Extra);
  for (uint64_t* value : values) {
    if (*value != zip::kNoFit32 || wide.size() < 8) continue;
    *value = load_little_endian<uint64_t>(wide, 0);
    wide.remove_prefix(8);
  }
}

class ZipParser {
 public:
  ZipParser(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  std::vector<Member> members() {
    find_directory();
    std::vector<Entry> entries = read_entries();
    check_names(entries);
    check_overlaps(entries);
    std::vector<Member> result;
    result.reserve(entries.size());
    for (Entry& entry : entries) result.push_back(std::move(entry.member));
    return result;
  }

 private:
  [[noreturn]] void fail(uint64_t offset, const std::string& problem) const {
    throw InputError::at_byte(source_, offset, problem);
  }
  [[noreturn]] void fail(const Entry& entry, const std::string& problem) const {
    fail(entry.position, "member " + in_quotes(entry.member.name) + " " + problem);
  }

  uint16_t load16(uint64_t offset) const { return load_little_endian<uint16_t>(bytes_, offset); }
  uint32_t load32(uint64_t offset) const { return load_little_endian<uint32_t>(bytes_, offset); }
  uint64_t load64(uint64_t offset) const { return load_little_endian<uint64_t>(bytes_, offset); }
  bool has(uint32_t signature, uint64_t offset) const { return load32(offset) == signature; }

  /// The end record closes the archive, but for a comment whose length it states.
  uint64_t find_end_record() const {
    if (bytes_.size() >= zip::kEndRecordSize) {
      const uint64_t last = bytes_.size() - zip::kEndRecordSize;
      const uint64_t first = last - std::min<uint64_t>(last, 0xffff);
      for (uint64_t offset = last + 1; offset-- > first;) {
        if (has(zip::kEndRecord, offset) && offset + load16(offset + 20) == last) return offset;
      }
    }
    throw InputError::in(source_, "no end of a ZIP archive: another format, or cut short");
  }

  void find_directory() {
    const uint64_t end = find_end_record();
    directory_.count = load16(end + 10);
    directory_.size = load32(end + 12);
    directory_.offset = load32(end + 16);
    const uint64_t disk = load16(end + 4);
    const uint64_t locator = end - std::min(end, zip::kZip64LocatorSize);
    uint64_t limit = end;
    if (locator + zip::kZip64LocatorSize == end && has(zip::kZip64Locator, locator)) {
      limit = read_zip64_end_record(locator);
    } else if (disk != 0 || load16(end + 6) != 0 || load16(end + 8) != directory_.count) {
      fail(end, "the archive spans several disks");
    }
    if (directory_.size > limit || directory_.offset > limit - directory_.size) {
      fail(end, "the directory does not lie inside the archive");
    }
    if (directory_.count > directory_.size / zip::kCentralHeaderSize) {
      fail(end, std::to_string(directory_.count) + " members do not fit the directory of " +
                    std::to_string(directory_.size) + " bytes");
    }
  }

  /// Replaces what the end record says and returns the offset of the zip64 one.
  uint64_t read_zip64_end_record(uint64_t locator) {
    const uint64_t record = load64(locator + 8);
    if (locator < zip::kZip64EndRecordSize || record > locator - zip::kZip64EndRecordSize ||
        !has(zip::kZip64EndRecord, record)) {
      fail(locator, "the zip64 end record is not where its locator says");
    }
    if (load32(locator + 4) != 0 || load32(record + 16) != 0 || load32(record + 20) != 0) {
      fail(record, "the archive spans several disks");
    }
    const auto agrees = [](uint64_t narrow, uint64_t no_fit, uint64_t wide) {
      return narrow == no_fit || narrow == wide;
    };
    const Directory narrow = directory_;
    directory_ = {load64(record + 48), load64(record + 40), load64(record + 32)};
    if (!agrees(narrow.count, zip::kNoFit16, directory_.count) ||
        !agrees(narrow.size, zip::kNoFit32, directory_.size) ||
        !agrees(narrow.offset, zip::kNoFit32, directory_.offset)) {
      fail(record, "the zip64 end record contradicts the end record");
    }
    return record;
  }

  std::vector<Entry> read_entries() const {
    std::vector<Entry> entries;
    entries.reserve(directory_.count);
    uint64_t position = directory_.offset;
    for (uint64_t i = 0; i < directory_.count; ++i) {
      entries.push_back(read_entry(position));
      check_supported(entries.back());
      find_data(entries.back());
      position = entries.back().end;
    }
    return entries;
  }

  Entry read_entry(uint64_t position) const {
    const uint64_t left = directory_.offset + directory_.size - position;
    if (left < zip::kCentralHeaderSize || !has(zip::kCentralHeader, position)) {
      fail(position, "no directory entry here");
    }
    const uint64_t name_size = load16(position + 28);
    const uint64_t extra_size = load16(position + 30);
    const uint64_t size = zip::kCentralHeaderSize + name_size + extra_size + load16(position + 32);
    if (size > left) fail(position, "the directory entry runs out of the directory");

    Entry entry;
    entry.position = position;
    entry.end = position + size;
    entry.flags = load16(position + 8);
    entry.method = load16(position + 10);
    entry.header_offset = load32(position + 42);
    Member& member = entry.member;
    member.name = bytes_.substr(position + zip::kCentralHeaderSize, name_size);
    member.deflated = entry.method == zip::kDeflated;
    member.crc32 = load32(position + 16);
    member.compressed_size = load32(position + 20);
    member.size = load32(position + 24);
    widen(bytes_.substr(position + zip::kCentralHeaderSize + name_size, extra_size),
          {&member.size, &member.compressed_size, &entry.header_offset});
    return entry;
  }

  void check_supported(const Entry& entry) const {
    const Member& member = entry.member;
    if ((entry.flags & zip::kEncryptedFlags) != 0) fail(entry, "is encrypted");
    if (entry.method != zip::kStored && entry.method != zip::kDeflated) {
      fail(entry, "is compressed by " + method_name(entry.method) +
                      "; only stored and deflated members are supported");
    }
    if (member.compressed_size > bytes_.size()) fail(entry, "is larger than the archive");
    if (!member.deflated && member.size != member.compressed_size) {
      fail(entry, "is stored, but its two sizes differ");
    }
    if (member.deflated && member.size > member.compressed_size * kMaxDeflateRatio) {
      fail(entry, "claims " + std::to_string(member.size) + " bytes, more than " +
                      std::to_string(member.compressed_size) + " deflated bytes can hold");
    }
  }

  /// Checks the local header against the directory's entry and finds the data behind it.
  void find_data(Entry& entry) const {
    Member& member = entry.member;
    const uint64_t header = entry.header_offset;
    if (header > directory_.offset || directory_.offset - header < zip::kLocalHeaderSize ||
        !has(zip::kLocalHeader, header)) {
      fail(entry, "has no local header at byte " + std::to_string(header));
    }
    const uint64_t name_size = load16(header + 26);
    const uint64_t extra_size = load16(header + 28);
    const uint64_t room = directory_.offset - header - zip::kLocalHeaderSize;
    if (name_size + extra_size + member.compressed_size > room) {
      fail(entry, "runs into the directory");
    }
    member.data_offset = header + zip::kLocalHeaderSize + name_size + extra_size;
    if (bytes_.substr(header + zip::kLocalHeaderSize, name_size) != member.name ||
        load16(header + 8) != entry.method || !local_sizes_agree(entry)) {
      fail(entry, "differs from its local header at byte " + std::to_string(header));
    }
  }

  bool local_sizes_agree(const Entry& entry) const {
    const uint64_t header = entry.header_offset;
    if ((load16(header + 6) & zip::kDataDescriptorFlag) != 0) return true;
    const uint64_t name_size = load16(header + 26);
    uint64_t compressed_size = load32(header + 18);
    uint64_t size = load32(header + 22);
    widen(bytes_.substr(header + zip::kLocalHeaderSize + name_size, load16(header + 28)),
          {&size, &compressed_size});
    return load32(header + 14) == entry.member.crc32 && size == entry.member.size &&
           compressed_size == entry.member.compressed_size;
  }

  void check_names(const std::vector<Entry>& entries) const {
    std::vector<const Entry*> sorted = pointers(entries);
    std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
      return std::tie(a->member.name, a->position) < std::tie(b->member.name, b->position);
    });
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->member.name == sorted[i - 1]->member.name) {
        fail(*sorted[i], "occurs twice");
      }
    }
  }

  void check_overlaps(const std::vector<Entry>& entries) const {
    std::vector<const Entry*> sorted = pointers(entries);
    std::sort(sorted.begin(), sorted.end(),
              [](const Entry* a, const Entry* b) { return a->header_offset < b->header_offset; });
    for (size_t i = 1; i < sorted.size(); ++i) {
      const Member& before = sorted[i - 1]->member;
      if (before.data_offset + before.compressed_size > sorted[i]->header_offset) {
        fail(*sorted[i], "overlaps member " + in_quotes(before.name));
      }
    }
  }

  static std::vector<const Entry*> pointers(const std::vector<Entry>& entries) {
    std::vector<const Entry*> result;
    result.reserve(entries.size());
    for (const Entry& entry : entries) result.push_back(&entry);
    return result;
  }

  std::string_view bytes_;
  const std::string& source_;
  Directory directory_;
};

/// A member that is both large and packed far more tightly than data ever is.
bool looks_like_bomb(const Member& member) {
  constexpr uint64_t kHarmlessSize = uint64_t{256} << 20;
  constexpr uint64_t kPlausibleRatio = 300;
  return member.deflated && member.size > kHarmlessSize &&
         member.size / kPlausibleRatio > member.compressed_size;
}

}  // namespace

ZipReader::ZipReader(std::string_view bytes, std::string source)
    : bytes_(bytes), source_(std::move(source)), members_(ZipParser(bytes_, source_).members()) {}

const Member* ZipReader::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

std::string ZipReader::read(const Member& member, uint64_t max_size) const {
  const auto fail = [&](const std::string& problem) {
    throw InputError::at_byte(source_, member.data_offset,
                              "member " + in_quotes(member.name) + " " + problem);
  };
  if (member.size > max_size) {
    fail("has " + std::to_string(member.size) + " bytes; the limit is " + std::to_string(max_size));
  }
  if (looks_like_bomb(member)) {
    fail("inflates " + std::to_string(member.compressed_size) + " bytes to " +
         std::to_string(member.size) +
         ", which looks like a bomb; if it is sound, store it "
         "without compression");
  }
  const std::string_view data = bytes_.substr(member.data_offset, member.compressed_size);
  std::string content;
  if (!member.deflated) {
    content = data;
  } else if (!inflate_exactly(data, member.size, content)) {
    fail("is not " + std::to_string(member.size) + " bytes, deflated");
  }
  if (crc32_of(content) != member.crc32) fail("is damaged: its CRC differs");
  return content;
}

std::string ZipReader::read_start(const Member& member, uint64_t count) const {
  const std::string_view data = bytes_.substr(member.data_offset, member.compressed_size);
  const uint64_t wanted = std::min(count, member.size);
  return member.deflated ? inflate_start(data, wanted) : std::string(data.substr(0, wanted));
}

}  // namespace floydnet
