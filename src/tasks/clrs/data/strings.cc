// naive_string_matcher, kmp_matcher.
#include "tasks/clrs/data/two_strings.h"

namespace floydnet::clrs {
namespace {

/// The node that stands for "nowhere": the needle's head.
void record_no_match(int64_t haystack, Trace& trace) { trace.outputs(One{haystack}); }

void naive_string_matcher(const Problem& problem, Trace& trace) {
  record_strings(problem, trace);
  const Nodes& needle = problem.pattern;
  const auto haystack_length = static_cast<int64_t>(problem.text.size());
  const auto needle_length = static_cast<int64_t>(needle.size());
  for (int64_t s = 0; s + needle_length <= haystack_length; ++s) {
    for (int64_t j = 0; j < needle_length; ++j) {
      trace.push(StringOrder{haystack_length}, One{s}, One{s + j}, One{haystack_length + j});
      if (problem.text[s + j] != needle[j]) break;
      if (j == needle_length - 1) return trace.outputs(One{s});
    }
  }
  record_no_match(haystack_length, trace);
}

/// A pointer into the needle that may be reset to before its first character.
struct Cursor {
  int64_t at = 0;
  bool reset = true;
};

/// The CLRS reference keeps -1 out of the probes: a reset cursor stands at 0 with its flag set.
class KnuthMorrisPratt {
 public:
  KnuthMorrisPratt(const Problem& problem, Trace& trace)
      : text_(problem.text),
        pattern_(problem.pattern),
        haystack_(static_cast<int64_t>(text_.size())),
        needle_(static_cast<int64_t>(pattern_.size())),
        failure_(identity(trace.nodes())),
        is_reset_(trace.nodes(), 0),
        trace_(trace) {
    is_reset_[haystack_] = 1;
  }

  void run() {
    q_.at = std::min<int64_t>(1, needle_ - 1);
    push(0, kPrefix);
    find_failures();
    const int64_t match = find_match();
    if (match < 0) return record_no_match(haystack_, trace_);
    trace_.outputs(One{match});
  }

 private:
  enum Phase { kPrefix, kMatch };

  void push(int64_t i, Phase phase) {
    trace_.push(StringOrder{haystack_}, failure_, is_reset_, One{haystack_ + k_.at},
                k_.reset ? 1.0 : 0.0, One{haystack_ + q_.at}, q_.reset ? 1.0 : 0.0, One{shift_},
                One{i}, static_cast<double>(phase));
  }

  void fall_back(Cursor& cursor) const {
    const int64_t node = haystack_ + cursor.at;
    if (is_reset_[node] != 0) {
      cursor = {0, true};
    } else {
      cursor.at = failure_[node] - haystack_;
    }
  }

  /// The place of the character after the cursor.
  static int64_t next(const Cursor& cursor) { return cursor.reset ? 0 : cursor.at + 1; }

  /// Moves on if the character after the cursor is c.
  bool advance(Cursor& cursor, int64_t c) const {
    if (pattern_[next(cursor)] != c) {
      // Only a reset cursor can fail here; falling back has seen to the others.
      return false;
    }
    cursor = {next(cursor), false};
    return true;
  }

  void find_failures() {
    for (q_.at = 1; q_.at < needle_; ++q_.at) {
      while (!k_.reset && pattern_[next(k_)] != pattern_[q_.at]) {
        fall_back(k_);
        push(0, kPrefix);
      }
      if (!advance(k_, pattern_[q_.at])) {
        k_ = {0, true};
        is_reset_[haystack_ + q_.at] = 1;
      }
      failure_[haystack_ + q_.at] = haystack_ + k_.at;
      push(0, kPrefix);
    }
  }

  /// Where the needle starts in the haystack, or -1.
  int64_t find_match() {
    q_ = {0, true};
    for (int64_t i = 0; i < haystack_; ++i) {
      if (i >= needle_) ++shift_;
      push(i, kMatch);
      while (!q_.reset && pattern_[next(q_)] != text_[i]) {
        fall_back(q_);
        push(i, kMatch);
      }
      const bool advanced = advance(q_, text_[i]);
      if (advanced && q_.at == needle_ - 1) return shift_;
      if (!advanced) q_ = {0, true};
    }
    return -1;
  }

  const Nodes& text_;
  const Nodes& pattern_;
  int64_t haystack_, needle_;
  Nodes failure_;   // as nodes; the haystack's point to themselves
  Reals is_reset_;  // falling back from here resets the cursor
  Cursor k_, q_;
  int64_t shift_ = 0;
  Trace& trace_;
};

void kmp_matcher(const Problem& problem, Trace& trace) {
  record_strings(problem, trace);
  KnuthMorrisPratt(problem, trace).run();
}

Algorithm matcher(const char* name, void (*run)(const Problem&, Trace&), std::vector<Probe> hints) {
  hints.insert(hints.begin(), node("pred_h", Type::kPointer));
  return {name, Category::kStrings, &kMatcherSampler, run,
          make_spec(string_probes(), {node("match", Type::kMaskOne)}, std::move(hints))};
}

}  // namespace

std::vector<Algorithm> string_algorithms() {
  const Probe s = node("s", Type::kMaskOne);
  const Probe i = node("i", Type::kMaskOne);
  return {
      matcher("naive_string_matcher", naive_string_matcher, {s, i, node("j", Type::kMaskOne)}),
      matcher("kmp_matcher", kmp_matcher,
              {node("pi", Type::kPointer), node("is_reset", Type::kMask), node("k", Type::kMaskOne),
               graph("k_reset", Type::kMask), node("q", Type::kMaskOne),
               graph("q_reset", Type::kMask), s, i, graph("phase", Type::kMask)}),
  };
}

}  // namespace floydnet::clrs
