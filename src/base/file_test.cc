#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/test_full_disk.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet {
namespace {

namespace fs = std::filesystem;

int64_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(File, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  for (const size_t size : {0, 1, 65535, 65536, 1000000}) {
    std::string content(size, 'x');
    if (size > 2) content[size / 2] = '\0';
    write_file_atomically(folder.file("a"), content);
    EXPECT_EQ(read_file(folder.file("a")), content);
  }
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(File, ReplacesAndKeepsPermissions) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  write_file_atomically(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0600));
}

TEST(File, NothingIsLeftOfAWriterThatIsKilled) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "old");
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path);
    file.append("half of what is ");
    ::raise(SIGKILL);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(File, SpaceIsKnownBeforehand) {
  const TemporaryFolder folder;
  require_space(folder.file("a"), 1000);
  require_space("/dev/null", 1e30);
  const std::string message = refusal([&] { require_space(folder.file("a"), 1e21); });
  EXPECT_EQ(message.rfind(folder.file("a") + ": would take 1000000000000.0 GB, but ", 0), 0u)
      << message;
}

TEST(File, WritesThroughALink) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("target"), "old");
  fs::create_symlink("target", folder.file("link"));
  write_file_atomically(folder.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.file("link")));
  EXPECT_EQ(read_file(folder.file("target")), "new");
}

TEST(File, AFailedWriteLeavesTheOldFileAndNoOther) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_EQ(refusal([&] { write_file_atomically(path, std::string(5000, 'x')); }),
              path + ": cannot write: File too large");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(File, ReportsAFullDevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "/dev/full is absent";
  EXPECT_EQ(refusal([] { write_file_atomically("/dev/full", "x"); }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(File, NamesThePathAndTheReason) {
  const TemporaryFolder folder;
  const std::string absent = folder.file("absent");
  EXPECT_EQ(refusal([&] { read_file(absent); }),
            absent + ": cannot read: No such file or directory");
  EXPECT_EQ(refusal([&] { read_file(folder.path()); }),
            folder.path() + ": cannot read: Is a directory");
  EXPECT_EQ(refusal([&] { write_file_atomically(absent + "/a", "x"); }),
            absent + "/a: cannot write: No such file or directory");
  EXPECT_EQ(refusal([&] { write_file_atomically(folder.path(), "x"); }),
            folder.path() + ": cannot write: Is a directory");
}

TEST(File, SaysBeforehandWhatCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("new");
  require_writable(path);
  EXPECT_EQ(files_in(folder.path()), 0);
  write_file_atomically(path, "old");
  require_writable(path);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(refusal([&] { require_writable(folder.file("absent/new")); }),
            folder.file("absent/new") + ": cannot write: No such file or directory");
  EXPECT_EQ(refusal([&] { require_writable(path + "/new"); }),
            path + "/new: cannot write: Not a directory");
  EXPECT_EQ(refusal([&] { require_writable(folder.path()); }),
            folder.path() + ": cannot write: Is a directory");
}

TEST(File, RefusesAFileAboveTheLimitUnread) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "12345");
  EXPECT_EQ(read_file(path, 5), "12345");
  EXPECT_EQ(refusal([&] { read_file(path, 4); }), path + ": larger than the limit of 4 bytes");
  ASSERT_EQ(::truncate(path.c_str(), off_t{1} << 36), 0);
  expect_refused_cheaply([&] { read_file(path, 1000); }, "larger than the limit of 1000 bytes");
}

TEST(File, ReadsFilesThatReportNoSize) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "/proc is absent";
  EXPECT_NE(read_file("/proc/self/status").find("VmPeak"), std::string::npos);
  EXPECT_EQ(refusal([] { read_file("/dev/zero", 100000); }),
            "/dev/zero: larger than the limit of 100000 bytes");
}

TEST(AtomicFile, AppearsWholeWhenItIsCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "old");
  AtomicFile file(path);
  file.append("new ");
  EXPECT_EQ(read_file(path), "old");
  file.append("content");
  file.commit();
  EXPECT_EQ(read_file(path), "new content");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, LeavesNothingUnlessItIsCommitted) {
  const TemporaryFolder folder;
  { AtomicFile(folder.file("a")).append("content"); }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(AtomicFile, AFullDiskLeavesTheOldContent) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  write_file_atomically(path, "old");
  {
    const FileSizeLimit limit(100000);
    AtomicFile file(path);
    const std::string piece(60000, 'x');
    file.append(piece);
    EXPECT_NE(refusal([&] { file.append(piece); }).find("cannot write"), std::string::npos);
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

}  // namespace
}  // namespace floydnet
