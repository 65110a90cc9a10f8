#include "base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "base/file.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // 16: zlib expects gzip's header and checks its CRC

class Inflater {
 public:
  Inflater(std::string_view bytes, const std::string& source, uint64_t max_bytes)
      : bytes_(bytes), source_(source), max_bytes_(max_bytes) {
    if (inflateInit2(&stream_, kGzipWindowBits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string run() {
    while (read_ < bytes_.size()) member();
    return std::move(content_);
  }

 private:
  void member() {
    if (!is_gzip(bytes_.substr(read_))) refuse("what follows here is not compressed by gzip");
    inflateReset(&stream_);
    int status = Z_OK;
    while (status == Z_OK) status = step();
    if (status == Z_BUF_ERROR) refuse("the compressed data end too early");
    if (status != Z_STREAM_END) refuse("the compressed data are damaged");
  }

  int step() {
    const std::string_view left = bytes_.substr(read_);
    const auto given =
        static_cast<uInt>(std::min<size_t>(left.size(), std::numeric_limits<uInt>::max()));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    read_ += given - stream_.avail_in;
    content_.append(buffer_.data(), buffer_.size() - stream_.avail_out);
    if (content_.size() > max_bytes_) {
      refuse(fmt::format("inflates to more than {} bytes", max_bytes_));
    }
    return status;
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError::at_byte(source_, read_, problem);
  }

  const std::string_view bytes_;
  const std::string& source_;
  const uint64_t max_bytes_;
  size_t read_ = 0;
  std::string content_;
  std::array<char, 1 << 16> buffer_;
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

std::string gunzip(std::string_view bytes, const std::string& source, uint64_t max_bytes) {
  if (!is_gzip(bytes)) throw InputError::in(source, "is not compressed by gzip");
  return Inflater(bytes, source, max_bytes).run();
}

std::string read_maybe_gzip(const std::string& path, uint64_t max_bytes) {
  std::string content = read_file(path, max_bytes);
  return is_gzip(content) ? gunzip(content, path, max_bytes) : content;
}

}  // namespace floydnet
