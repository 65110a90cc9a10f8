#include "report/tensorboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "base/file.h"
#include "base/little_endian.h"
#include "base/test_full_disk.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

/// Reads Protocol Buffers field by field, knowing nothing of how the writer does it.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  bool next() {
    if (rest_.empty()) return false;
    const uint64_t key = varint();
    number = static_cast<int>(key >> 3);
    const auto type = static_cast<int>(key & 7);
    const uint64_t size = type == 0 ? 0 : type == 1 ? 8 : type == 5 ? 4 : varint();
    integer = type == 0 ? varint() : 0;
    if (size > rest_.size()) throw std::runtime_error("a field passes the end");
    content = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  int number = 0;
  uint64_t integer = 0;
  std::string_view content;

 private:
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(rest_.at(0));
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw std::runtime_error("a number without end");
  }
  std::string_view rest_;
};

template <typename T>
T float_of(std::string_view content) {
  T value;
  std::memcpy(&value, content.data(), sizeof(value));
  return value;
}

struct ReadEvent {
  double wall_time = 0;
  int64_t step = 0;
  std::string file_version;
  std::vector<std::pair<std::string, float>> scalars;
  uint64_t session_status = 0;
};

std::pair<std::string, float> read_value(std::string_view message) {
  std::pair<std::string, float> value;
  for (Fields fields(message); fields.next();) {
    if (fields.number == 1) value.first = fields.content;
    if (fields.number == 2) value.second = float_of<float>(fields.content);
  }
  return value;
}

ReadEvent read_event(std::string_view message) {
  ReadEvent event;
  for (Fields fields(message); fields.next();) {
    if (fields.number == 1) event.wall_time = float_of<double>(fields.content);
    if (fields.number == 2) event.step = static_cast<int64_t>(fields.integer);
    if (fields.number == 3) event.file_version = fields.content;
    if (fields.number == 5) {
      for (Fields values(fields.content); values.next();) {
        event.scalars.push_back(read_value(values.content));
      }
    }
    if (fields.number == 7) {
      for (Fields log(fields.content); log.next();) event.session_status = log.integer;
    }
  }
  return event;
}

std::vector<ReadEvent> read_events(const std::string& path) {
  const std::string file = read_file(path);
  std::vector<ReadEvent> events;
  for (size_t at = 0; at < file.size();) {
    const auto length = load_little_endian<uint64_t>(file, at);
    const std::string_view message = std::string_view(file).substr(at + 12, length);
    const auto stored = load_little_endian<uint32_t>(file, at + 12 + length);
    EXPECT_EQ(load_little_endian<uint32_t>(file, at + 8), masked_crc32c(file.substr(at, 8)));
    EXPECT_EQ(stored, masked_crc32c(message));
    events.push_back(read_event(message));
    at += 12 + length + 4;
  }
  return events;
}

// The vectors of RFC 3720, appendix B.4, and the usual check value.
TEST(TensorBoard, Crc32cVectors) {
  std::string ascending(32, '\0');
  std::iota(ascending.begin(), ascending.end(), '\0');
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(ascending), 0x46dd794eu);
  EXPECT_EQ(crc32c(std::string(ascending.rbegin(), ascending.rend())), 0x113fdb5cu);
}

// The first twelve bytes of every event file: a record of 24 bytes, and what that is masked.
TEST(TensorBoard, FrameOfAFirstRecord) {
  const std::string record = tfrecord(std::string(24, 'x'));
  EXPECT_EQ(record.substr(0, 12), bytes({0x18, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22}));
  EXPECT_EQ(record.size(), 12u + 24 + 4);
}

TEST(TensorBoard, RecordsByteForByte) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  { EventWriter(path, 2.0).scalars(300, {{"loss", 0.5}}, 1.0); }
  const std::string version = bytes({0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x1a, 13}) + "brain.Event:2";
  const std::string scalar = bytes({0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x10, 0xac, 0x02, 0x2a}) +
                             bytes({13, 0x0a, 11, 0x0a, 4}) + "loss" + bytes({0x15, 0, 0, 0, 0x3f});
  EXPECT_EQ(read_file(path), tfrecord(version) + tfrecord(scalar));
}

TEST(TensorBoard, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  const int64_t late = int64_t{1} << 40;
  {
    EventWriter writer(path, 1700000000.25);
    writer.scalars(0, {{"train/loss", 3.25}, {"", -0.0}}, 1700000001.5);
    writer.scalars(late, {{std::string(300, 't'), 1e-3}}, 1700000002);
    writer.restarted(7, 1700000003);
  }
  const auto events = read_events(path);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].file_version, "brain.Event:2");
  EXPECT_EQ(events[0].wall_time, 1700000000.25);
  EXPECT_EQ(events[1].step, 0);
  EXPECT_EQ(events[1].wall_time, 1700000001.5);
  EXPECT_THAT(events[1].scalars, ElementsAre(Pair("train/loss", 3.25f), Pair("", -0.0f)));
  EXPECT_EQ(events[2].step, late);
  EXPECT_THAT(events[2].scalars, ElementsAre(Pair(std::string(300, 't'), 1e-3f)));
  EXPECT_EQ(events[3].step, 7);
  EXPECT_EQ(events[3].session_status, 1u);
}

TEST(TensorBoard, ShowsOnDiskWhatIsFlushed) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  EventWriter writer(path, 1);
  EXPECT_EQ(read_events(path).size(), 1u);  // TensorBoard may look before the first flush
  writer.scalars(1, {{"a", 1}}, 1);
  EXPECT_EQ(read_events(path).size(), 1u);
  writer.flush();
  EXPECT_EQ(read_events(path).size(), 2u);
}

// An interruption may leave any part of the last record.
TEST(TensorBoard, AppendsAfterTheLastWholeRecord) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  { EventWriter(path, 1).scalars(1, {{"a", 1}}, 1); }
  const std::string whole = read_file(path);
  { EventWriter(path, 1).scalars(2, {{"a", 2}}, 1); }
  const std::string both = read_file(path);
  ASSERT_GT(both.size(), whole.size());
  for (size_t size = whole.size(); size < both.size(); ++size) {
    write_file_atomically(path, both.substr(0, size));
    { EventWriter(path, 1).scalars(3, {{"a", 3}}, 1); }
    const auto events = read_events(path);
    ASSERT_EQ(events.size(), 3u) << size;
    EXPECT_EQ(events[2].step, 3);
  }
}

TEST(TensorBoard, RefusesOtherFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  for (const std::string& content : {std::string("notes of the day"), tfrecord("another record")}) {
    write_file_atomically(path, content);
    EXPECT_THAT(refusal([&] { EventWriter(path, 1); }), HasSubstr("not a TensorBoard event file"));
    EXPECT_EQ(read_file(path), content);
  }
  EXPECT_THAT(refusal([&] { EventWriter(folder.file("absent/events"), 1); }),
              HasSubstr("absent/events: cannot write: No such file"));
}

TEST(TensorBoard, AFailedFlushLeavesWholeRecordsAndIsTriedAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.file("events.out.tfevents.1");
  EventWriter writer(path, 1);
  writer.scalars(5, {{std::string(100, 'a'), 1}}, 1);
  {
    const FileSizeLimit limit(read_file(path).size() + 20);
    EXPECT_THAT(refusal([&] { writer.flush(); }), HasSubstr("cannot write: File too large"));
  }
  EXPECT_EQ(read_events(path).size(), 1u);
  writer.flush();
  ASSERT_EQ(read_events(path).size(), 2u);
  EXPECT_EQ(read_events(path)[1].step, 5);
}

}  // namespace
}  // namespace floydnet
