// A split as NumPy pickles it, for tests only.
#pragma once

#include <string>

namespace floydnet::graphs {

/// pickle.dumps({"train": array([1, 0]), "test": array([2])}, 4), without memo.
inline std::string split_bytes(const std::string& module = "numpy.core.multiarray") {
  const auto text = [](const std::string& word) {
    return std::string("\x8c") + static_cast<char>(word.size()) + word;
  };
  const auto array = [&](const std::string& numbers) {
    const std::string type = text("numpy") + text("dtype") + "\x93" + text("i8") +
                             "\x89\x88\x87R(K\x03" + text("<") +
                             "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" + '\0' + "tb";
    return text(module) + text("_reconstruct") + "\x93" + text("numpy") + text("ndarray") +
           "\x93K" + '\0' + "\x85" + "C\x01" + "b\x87R(K\x01K" +
           static_cast<char>(numbers.size() / 8) + "\x85" + type + "\x89" + "C" +
           static_cast<char>(numbers.size()) + numbers + "tb";
  };
  const auto number = [](char value) { return std::string(1, value) + std::string(7, '\0'); };
  return "\x80\x04}(" + text("train") + array(number(1) + number(0)) + text("test") +
         array(number(2)) + "u.";
}

}  // namespace floydnet::graphs
