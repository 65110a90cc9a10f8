#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "floydnet/error.h"

namespace floydnet {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw InputError::in(path, "cannot " + action + ": " + std::strerror(error));
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  /// 0, or the error of a delayed write.
  int close() {
    if (!is_open()) return 0;
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    return closed == 0 ? 0 : errno;
  }

 private:
  int descriptor_;
};

[[noreturn]] void fail_too_large(const std::string& path, uint64_t max_bytes) {
  throw InputError::in(path, "larger than the limit of " + std::to_string(max_bytes) + " bytes");
}

/// Grows `content` while the file has more; the size that the system reports is only a hint, since
/// pipes and files under /proc report none.
void read_all(int descriptor, const std::string& path, uint64_t max_bytes, std::string& content) {
  constexpr uint64_t kChunk = 1 << 16;
  uint64_t filled = 0;
  while (true) {
    if (filled == content.size()) content.resize(filled + std::max(kChunk, filled / 2));
    const ssize_t got = ::read(descriptor, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "read", errno);
    if (got == 0) break;
    filled += static_cast<uint64_t>(got);
    if (filled > max_bytes) fail_too_large(path, max_bytes);
  }
  content.resize(filled);
}

/// 0 or the error.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(descriptor, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    content.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

/// Where a link to a file leads, so that writing replaces the file and keeps the link. A link to
/// nothing is replaced, and one to a device or pipe, such as /dev/stdout, is written through.
std::string follow_link(const std::string& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return path;
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path.c_str(), nullptr),
                                                           &std::free);
  if (!target) fail(path, "write", errno);
  return target.get();
}

std::string unique_name() {
  static std::atomic<uint64_t> counter{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return ".floydnet-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" +
         std::to_string(counter++) + ".tmp";
}

/// Best effort: the file already stands whole under its name, and some file systems cannot do this.
void flush_folder(const std::string& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) ::fsync(descriptor.get());
}

}  // namespace

std::string read_file(const std::string& path, uint64_t max_bytes) {
  const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.is_open()) fail(path, "read", errno);
  struct stat status;
  if (::fstat(descriptor.get(), &status) != 0) fail(path, "read", errno);
  const auto size = static_cast<uint64_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > max_bytes) fail_too_large(path, max_bytes);
  try {
    // One byte more, so that the end is seen without growing.
    std::string content(S_ISREG(status.st_mode) ? size + 1 : 0, '\0');
    read_all(descriptor.get(), path, max_bytes, content);
    return content;
  } catch (const std::bad_alloc&) {
    fail(path, "read", ENOMEM);
  }
}

/// A file in the target's folder that has no name before it takes the target's place, so that
/// nothing is left of it however the process ends. Where the file system has no such files it has a
/// name of its own, and is removed unless it takes the target's place. A device or a pipe is
/// written to as it stands: replacing it by a file would destroy it.
class AtomicFile::Target {
 public:
  explicit Target(const std::string& path) : name_(follow_link(path)) {
    struct stat status;
    const bool exists = ::stat(name_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail(path, "write", EISDIR);
    const bool special = exists && !S_ISREG(status.st_mode);
    if (special) {
      file_.emplace(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    } else {
      open_beside(exists ? status.st_mode & 0777 : 0666);
    }
    if (file_->is_open()) return;
    temporary_.clear();
    fail(path, "write", errno);
  }
  ~Target() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  // 0 or the error.
  int append(std::string_view content) { return write_all(file_->get(), content); }
  int commit() {
    if (temporary_.empty() && !nameless_) return file_->close();
    if (::fsync(file_->get()) != 0) return errno;
    if (nameless_ && !give_name()) return errno;
    const int error = file_->close();
    if (error != 0) return error;
    if (::rename(temporary_.c_str(), name_.c_str()) != 0) return errno;
    temporary_.clear();
    flush_folder(folder_of(name_));
    return 0;
  }

 private:
  void open_beside(mode_t mode) {
    const std::string folder = folder_of(name_);
    file_.emplace(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
    nameless_ = file_->is_open() && ::access(descriptor_path().c_str(), F_OK) == 0;
    if (nameless_) return;
    temporary_ = folder + unique_name();
    file_.emplace(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  }

  /// A link cannot replace a file, so there is a name of its own in between.
  bool give_name() {
    const std::string name = folder_of(name_) + unique_name();
    if (::linkat(AT_FDCWD, descriptor_path().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) !=
        0) {
      return false;
    }
    temporary_ = name;
    return true;
  }

  std::string descriptor_path() const { return "/proc/self/fd/" + std::to_string(file_->get()); }

  std::string name_;
  std::string temporary_;  // the name beside the target, if the file has one
  bool nameless_ = false;
  std::optional<Descriptor> file_;
};

AtomicFile::AtomicFile(const std::string& path)
    : path_(path), target_(std::make_unique<Target>(path)) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::append(std::string_view content) {
  const int error = target_->append(content);
  if (error != 0) fail(path_, "write", error);
}

void AtomicFile::commit() {
  const int error = target_->commit();
  if (error != 0) fail(path_, "write", error);
}

void write_file_atomically(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.append(content);
  file.commit();
}

void require_space(const std::string& path, double bytes) {
  struct stat status;
  const std::string target = follow_link(path);
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return;
  struct statvfs space;
  if (::statvfs(folder_of(target).c_str(), &space) != 0) fail(path, "write", errno);
  const double free = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (bytes <= free) return;
  throw InputError::in(path, fmt::format("would take {:.1f} GB, but {:.1f} GB are free there",
                                         bytes * 1e-9, free * 1e-9));
}

void require_writable(const std::string& path) {
  const std::string target = follow_link(path);
  struct stat status;
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (target.empty()) fail(path, "write", ENOENT);
  if (exists && S_ISDIR(status.st_mode)) fail(path, "write", EISDIR);
  const bool replaced = !exists || S_ISREG(status.st_mode);
  const std::string written = replaced ? folder_of(target) : target;
  if (::access(written.c_str(), replaced ? W_OK | X_OK : W_OK) != 0) fail(path, "write", errno);
}

}  // namespace floydnet
