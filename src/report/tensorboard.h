// TensorBoard event files: TFRecord frames around Event messages of Protocol Buffers.
//
// A record is its length (64 bits, little-endian), the masked CRC-32C of those eight bytes, the
// message and the masked CRC-32C of the message. Scalars are all that a run writes, so the few
// fields that they need are encoded here, and no library is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace floydnet {

/// CRC-32C (Castagnoli).
uint32_t crc32c(std::string_view bytes);
/// What TFRecord stores, since the CRC of bytes that hold CRCs has little value.
uint32_t masked_crc32c(std::string_view bytes);
/// A message in its frame.
std::string tfrecord(std::string_view message);

/// Appends scalars to an event file. What is written is buffered until flush().
class EventWriter {
 public:
  using Scalars = std::vector<std::pair<std::string, double>>;

  /// Opens the file or makes it; TensorBoard wants "tfevents" in its name. Of a file that an
  /// interruption left with half a record at its end, that half is cut off; InputError if it is
  /// something else than an event file. `wall_time` is in seconds since 1970.
  EventWriter(const std::string& path, double wall_time);
  /// Flushes; a failure to do so is lost.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// One event with the values of all tags at a step.
  void scalars(int64_t step, const Scalars& values, double wall_time);
  /// A resumed run goes on from `step`: TensorBoard forgets what it has from that step on.
  void restarted(int64_t step, double wall_time);
  /// Hands the buffer to the system. After an InputError the file ends with a whole record, and the
  /// next flush tries again.
  void flush();

 private:
  void append(const std::string& event);

  std::string path_;
  int descriptor_;
  uint64_t size_ = 0;  // of the file, all of it whole records
  std::string buffer_;
};

}  // namespace floydnet
