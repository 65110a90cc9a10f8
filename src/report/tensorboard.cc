#include "report/tensorboard.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/file.h"
#include "base/little_endian.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr uint64_t kHeaderBytes = 12, kFooterBytes = 4;
constexpr std::string_view kFileVersion = "brain.Event:2";

// Fields of Event, SessionLog, Summary and Summary.Value, as (number << 3) | wire type.
constexpr uint8_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
constexpr uint8_t field(uint8_t number, uint8_t type) {
  return static_cast<uint8_t>(number << 3 | type);
}
constexpr uint8_t kEventWallTime = field(1, kFixed64);
constexpr uint8_t kEventStep = field(2, kVarint);
constexpr uint8_t kEventFileVersion = field(3, kBytes);
constexpr uint8_t kEventSummary = field(5, kBytes);
constexpr uint8_t kEventSessionLog = field(7, kBytes);
constexpr uint8_t kSessionLogStatus = field(1, kVarint);
constexpr uint8_t kSummaryValue = field(1, kBytes);
constexpr uint8_t kValueTag = field(1, kBytes);
constexpr uint8_t kValueSimple = field(2, kFixed32);
constexpr uint64_t kStatusStart = 1;

constexpr std::array<uint32_t, 256> crc_table() {
  constexpr uint32_t kReversedPolynomial = 0x82f63b78;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? kReversedPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

template <typename Bits, typename Value>
Bits bits_of(Value value) {
  static_assert(sizeof(Bits) == sizeof(Value));
  Bits bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

void append_key(std::string& message, uint8_t key) { message += static_cast<char>(key); }

void append_varint(std::string& message, uint64_t value) {
  for (; value >= 0x80; value >>= 7) message += static_cast<char>(0x80 | (value & 0x7f));
  message += static_cast<char>(value);
}

void append_bytes(std::string& message, uint8_t key, std::string_view bytes) {
  append_key(message, key);
  append_varint(message, bytes.size());
  message += bytes;
}

/// An Event with its time; the step is left out where it is 0, as the encoding has it.
std::string event(double wall_time, int64_t step) {
  std::string message;
  append_key(message, kEventWallTime);
  append_little_endian(message, bits_of<uint64_t>(wall_time));
  if (step != 0) {
    append_key(message, kEventStep);
    append_varint(message, static_cast<uint64_t>(step));
  }
  return message;
}

std::string scalar_value(const std::string& tag, double value) {
  std::string message;
  append_bytes(message, kValueTag, tag);
  append_key(message, kValueSimple);
  append_little_endian(message, bits_of<uint32_t>(static_cast<float>(value)));
  return message;
}

/// The size of the record at `offset`, or 0 if none stands there whole.
uint64_t record_size(std::string_view file, uint64_t offset) {
  const std::string_view rest = file.substr(offset);
  if (rest.size() < kHeaderBytes + kFooterBytes) return 0;
  const auto length = load_little_endian<uint64_t>(rest, 0);
  if (load_little_endian<uint32_t>(rest, 8) != masked_crc32c(rest.substr(0, 8))) return 0;
  if (length > rest.size() - kHeaderBytes - kFooterBytes) return 0;
  const uint32_t stored = load_little_endian<uint32_t>(rest, kHeaderBytes + length);
  if (stored != masked_crc32c(rest.substr(kHeaderBytes, length))) return 0;
  return kHeaderBytes + length + kFooterBytes;
}

/// How much of an event file is whole records, the first of which says that it is one.
uint64_t size_of_whole_records(const std::string& path, std::string_view file) {
  uint64_t size = 0;
  while (const uint64_t record = record_size(file, size)) {
    const bool first = size == 0;
    const std::string_view message = file.substr(kHeaderBytes, record - kHeaderBytes);
    if (first && message.find(kFileVersion) == std::string_view::npos) break;
    size += record;
  }
  if (size == 0 && !file.empty()) {
    throw InputError::in(path, "not a TensorBoard event file; remove it or choose another name");
  }
  return size;
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw InputError::in(path, std::string("cannot write: ") + std::strerror(error));
}

/// 0 or the error.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

/// Cuts the file after its whole records, where writing then goes on.
int cut(int descriptor, uint64_t size) {
  const auto offset = static_cast<off_t>(size);
  if (::ftruncate(descriptor, offset) != 0) return errno;
  return ::lseek(descriptor, offset, SEEK_SET) == offset ? 0 : errno;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = crc_table();
  uint32_t crc = 0xffffffff;
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return ~crc;
}

uint32_t masked_crc32c(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

std::string tfrecord(std::string_view message) {
  std::string record;
  append_little_endian(record, uint64_t{message.size()});
  append_little_endian(record, masked_crc32c(record));
  record += message;
  append_little_endian(record, masked_crc32c(message));
  return record;
}

EventWriter::EventWriter(const std::string& path, double wall_time)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail_to_write(path_, errno);
  try {
    size_ = size_of_whole_records(path_, read_file(path_));
    if (const int error = cut(descriptor_, size_)) fail_to_write(path_, error);
    if (size_ > 0) return;
    std::string message = event(wall_time, 0);
    append_bytes(message, kEventFileVersion, kFileVersion);
    append(message);
    flush();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

EventWriter::~EventWriter() {
  try {
    flush();
  } catch (const InputError&) {
  }
  ::close(descriptor_);
}

void EventWriter::append(const std::string& event) { buffer_ += tfrecord(event); }

void EventWriter::scalars(int64_t step, const Scalars& values, double wall_time) {
  std::string summary;
  for (const auto& [tag, value] : values) {
    append_bytes(summary, kSummaryValue, scalar_value(tag, value));
  }
  std::string message = event(wall_time, step);
  append_bytes(message, kEventSummary, summary);
  append(message);
}

void EventWriter::restarted(int64_t step, double wall_time) {
  std::string log;
  append_key(log, kSessionLogStatus);
  append_varint(log, kStatusStart);
  std::string message = event(wall_time, step);
  append_bytes(message, kEventSessionLog, log);
  append(message);
}

void EventWriter::flush() {
  const int error = write_all(descriptor_, buffer_);
  if (error != 0) {
    cut(descriptor_, size_);
    fail_to_write(path_, error);
  }
  size_ += buffer_.size();
  buffer_.clear();
}

}  // namespace floydnet
