// Reading and writing ZIP archives: stored and deflated members, zip64 sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace floydnet {

/// A read-only view of a ZIP archive held in memory. The constructor validates the central
/// directory (counts, offsets, overlapping members, duplicate names) and decompresses nothing.
class ZipReader {
 public:
  struct Member {
    std::string name;
    bool deflated = false;
    uint32_t crc32 = 0;
    uint64_t compressed_size = 0;
    uint64_t size = 0;         // uncompressed
    uint64_t data_offset = 0;  // of the compressed bytes in the archive
  };

  /// What a member may grow to unless the caller says otherwise.
  static constexpr uint64_t kDefaultMaxSize = uint64_t{8} << 30;

  /// `bytes` must outlive the reader. `source` names the archive in error messages.
  ZipReader(std::string_view bytes, std::string source);

  const std::vector<Member>& members() const { return members_; }
  /// nullptr if there is no member of that name.
  const Member* find(std::string_view name) const;
  /// The content, decompressed and checked against size and CRC. Never allocates more than
  /// member.size, nor more than deflate's largest ratio allows for member.compressed_size; a member
  /// larger than `max_size` is refused before anything is allocated.
  std::string read(const Member& member, uint64_t max_size = kDefaultMaxSize) const;
  /// The first `count` bytes of the content, or all of it if it is shorter, without the check of
  /// the CRC: to look at a header before the whole member is worth its memory.
  std::string read_start(const Member& member, uint64_t count) const;

 private:
  std::string_view bytes_;
  std::string source_;
  std::vector<Member> members_;
};

/// Builds an archive in memory; zip64 records are written only where sizes need them. The same
/// members give the same bytes: no time is stored.
class ZipWriter {
 public:
  /// Throws std::invalid_argument for a name that is taken already or longer than 65535 bytes. A
  /// member that deflate would not make smaller is stored.
  void add(const std::string& name, std::string_view content, bool deflate);
  /// Ends the archive and returns it; the writer is empty afterwards.
  std::string finish();

 private:
  std::string bytes_;
  std::string directory_;
  std::set<std::string> names_;
};

/// Writes an archive of stored members piece by piece, for content that does not fit in memory.
/// CRCs follow the data, so that nothing is written twice and a pipe will do.
class ZipStream {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit ZipStream(Sink sink);
  ~ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;

  /// Throws std::invalid_argument as ZipWriter does, and if the member before has not got its size.
  void begin(const std::string& name, uint64_t size);
  /// Throws std::invalid_argument for more bytes than the member was to have.
  void append(std::string_view content);
  /// Ends the last member and the archive.
  void finish();

 private:
  struct Member;

  void write(std::string_view bytes);
  void end_member();

  Sink sink_;
  uint64_t written_ = 0;
  std::string directory_;
  std::set<std::string> names_;
  std::unique_ptr<Member> member_;  // the one that is being written
};

}  // namespace floydnet
