#include "tasks/graphs/molecules/fragment_table.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/file.h"
#include "base/gzip.h"
#include "floydnet/error.h"

namespace floydnet::graphs {
namespace {

constexpr const char* kDebianPath = "/usr/share/RDKit/Contrib/SA_Score/fpscores.pkl.gz";
constexpr double kUnknownScore = -4;

/// The instructions of protocol 0 that lists of lists of numbers consist of. Each group is a list
/// that is appended to the outer one when it is complete.
class FragmentReader {
 public:
  FragmentReader(std::string_view bytes, const std::string& source,
                 std::unordered_map<uint32_t, double>& scores)
      : bytes_(bytes), source_(source), scores_(scores) {}

  void run() {
    for (;;) {
      instruction_ = position_;
      if (position_ == bytes_.size()) refuse("the pickle ends too early");
      const char opcode = bytes_[position_++];
      if (opcode == '.') break;
      execute(opcode);
    }
    if (depth_ != 1 || open_mark_ || pending_) refuse("the list is not complete");
    if (position_ != bytes_.size()) refuse("bytes follow the end of the pickle");
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError::at_byte(source_, instruction_, problem);
  }

  void execute(char opcode) {
    switch (opcode) {
      case '(':
        if (open_mark_ || pending_) refuse("a mark does not belong here");
        open_mark_ = true;
        return;
      case 'l':
        return begin_list();
      case 'p':
        number<uint32_t>();  // a name for the list, which nothing recalls
        return;
      case 'F':
        return value(number<double>(), /*real=*/true);
      case 'I':
        return value(static_cast<double>(number<uint32_t>()), /*real=*/false);
      case 'a':
        return append();
      default:
        refuse(fmt::format("does not know the instruction 0x{:02x}; only lists of numbers are read",
                           static_cast<uint8_t>(opcode)));
    }
  }

  void begin_list() {
    if (!open_mark_ || depth_ == 2) refuse("a list does not belong here");
    open_mark_ = false;
    score_.reset();
    ++depth_;
  }

  void value(double number, bool real) {
    if (depth_ != 2 || open_mark_ || pending_) refuse("a number does not belong here");
    if (real == score_.has_value()) refuse("a group is not a score with fragments after it");
    pending_ = number;
    pending_real_ = real;
  }

  void append() {
    if (pending_) {
      if (pending_real_) {
        score_ = *pending_;
      } else {
        scores_[static_cast<uint32_t>(*pending_)] = *score_;
      }
      pending_.reset();
    } else if (depth_ == 2 && !open_mark_) {
      depth_ = 1;  // the group, to the outer list
    } else {
      refuse("there is nothing to append");
    }
  }

  template <typename T>
  T number() {
    const size_t end = bytes_.find('\n', position_);
    if (end == std::string_view::npos) refuse("the pickle ends within a number");
    T parsed = 0;
    const char* const stop = bytes_.data() + end;
    const auto [rest, error] = std::from_chars(bytes_.data() + position_, stop, parsed);
    if (error != std::errc() || rest != stop) refuse("this is not a number of the right kind");
    position_ = end + 1;
    return parsed;
  }

  const std::string_view bytes_;
  const std::string& source_;
  std::unordered_map<uint32_t, double>& scores_;
  size_t position_ = 0;
  size_t instruction_ = 0;
  int depth_ = 0;  // of lists: 1 is the outer one, 2 a group
  bool open_mark_ = false;
  std::optional<double> pending_;  // a number that is yet to be appended
  bool pending_real_ = false;
  std::optional<double> score_;  // of the group
};

}  // namespace

FragmentTable::FragmentTable(std::string_view pickle, const std::string& source) {
  FragmentReader(pickle, source, scores_).run();
}

FragmentTable FragmentTable::load() {
  const char* const chosen = std::getenv("FLOYDNET_FRAGMENT_SCORES");
  const std::string path = chosen != nullptr && *chosen != '\0' ? chosen : kDebianPath;
  if (!std::filesystem::exists(path)) {
    throw InputError::in(path, "is absent; the SA score needs it: apt-get install rdkit-data");
  }
  constexpr uint64_t kMaxBytes = uint64_t{1} << 28;
  return FragmentTable(read_maybe_gzip(path, kMaxBytes), path);
}

double FragmentTable::score(uint32_t fragment) const {
  const auto found = scores_.find(fragment);
  return found == scores_.end() ? kUnknownScore : found->second;
}

}  // namespace floydnet::graphs
