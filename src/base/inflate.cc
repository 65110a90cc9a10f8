#include "base/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace floydnet {
namespace {

constexpr int kRawWindowBits = -15;  // negative: no zlib wrapper
constexpr int kDefaultMemoryLevel = 8;

/// zlib counts in 32 bits; this feeds it the rest of larger buffers.
class Buffers {
 public:
  Buffers(std::string_view input, std::string& output)
      : input_left_(input.size()), output_left_(output.size()) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
  }

  z_stream& stream() { return stream_; }

  /// Calls step(whether this is the last of the input) until zlib ends, fails, or cannot go on.
  template <typename Step>
  int run(Step step) {
    while (true) {
      refill(stream_.avail_in, input_left_);
      refill(stream_.avail_out, output_left_);
      const int status = step(input_left_ == 0);
      if (status != Z_OK) return status;
    }
  }

  uint64_t unread() const { return input_left_ + stream_.avail_in; }
  uint64_t unwritten() const { return output_left_ + stream_.avail_out; }

 private:
  static void refill(uInt& available, uint64_t& left) {
    if (available != 0) return;
    available = static_cast<uInt>(std::min<uint64_t>(left, std::numeric_limits<uInt>::max()));
    left -= available;
  }

  z_stream stream_{};
  uint64_t input_left_;
  uint64_t output_left_;
};

struct InflateResult {
  bool ended = false;  // the end of the stream was reached
  uint64_t unread = 0;
  uint64_t unwritten = 0;
};

/// Fills `output` as far as the stream goes. zlib reports Z_BUF_ERROR when either side is
/// exhausted.
InflateResult inflate_into(std::string_view data, std::string& output) {
  Buffers buffers(data, output);
  if (inflateInit2(&buffers.stream(), kRawWindowBits) != Z_OK) throw std::bad_alloc();
  const int status = buffers.run([&](bool) { return inflate(&buffers.stream(), Z_NO_FLUSH); });
  inflateEnd(&buffers.stream());
  return {status == Z_STREAM_END, buffers.unread(), buffers.unwritten()};
}

}  // namespace

uint32_t crc32_of(std::string_view content, uint32_t before) {
  if (content.empty()) return before;  // zlib would start afresh where there is no data
  return static_cast<uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string deflate_raw(std::string_view content) {
  std::string result(compressBound(content.size()), '\0');
  Buffers buffers(content, result);
  z_stream& stream = buffers.stream();
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindowBits, kDefaultMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  buffers.run([&](bool last) { return deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH); });
  deflateEnd(&stream);
  result.resize(result.size() - buffers.unwritten());
  return result;
}

bool inflate_exactly(std::string_view data, uint64_t size, std::string& content) {
  content.assign(size, '\0');
  const InflateResult result = inflate_into(data, content);
  return result.ended && result.unread == 0 && result.unwritten == 0;
}

std::string inflate_start(std::string_view data, uint64_t size) {
  std::string content(size, '\0');
  content.resize(size - inflate_into(data, content).unwritten);
  return content;
}

}  // namespace floydnet
