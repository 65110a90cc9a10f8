// Lines, words and numbers of a text, with the place of each for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace floydnet::tsp {

class Scanner {
 public:
  /// `text` must outlive the scanner; `source` names it in messages. Lines are counted from
  /// `first_line`.
  Scanner(std::string_view text, std::string source, std::uint64_t first_line = 1);

  const std::string& source() const { return source_; }
  std::size_t bytes_left() const { return text_.size() - at_; }

  /// Whether there is a next word; blanks and line ends before it are passed over.
  bool has_word();
  /// The next word without taking it; empty at the end.
  std::string_view peek();
  std::string_view word();
  /// The next word up to a colon, which is taken, too, whether or not there are blanks around it.
  std::string_view keyword();
  /// What is left of this line, without blanks around it.
  std::string_view rest_of_line();

  /// `what` is wanted here: "a coordinate". Throws InputError at the line unless it is there and
  /// finite.
  double real(std::string_view what);
  /// Numbers such as 12.0 and 1e2 are integers, too.
  std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);

  /// Throws InputError at the line of the last word.
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  void skip_blanks();
  std::string_view wanted(std::string_view what);

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0;
  std::uint64_t line_;       // of at_
  std::uint64_t word_line_;  // of the last word
};

}  // namespace floydnet::tsp
