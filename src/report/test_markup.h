// Checks of HTML and SVG.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

namespace floydnet {

inline size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Without what stands between an element's tags, where other rules hold.
inline std::string without_content(std::string text, const std::string& element) {
  size_t begin = 0;
  while ((begin = text.find("<" + element, begin)) != std::string::npos) {
    begin = text.find('>', begin) + 1;
    const size_t end = text.find("</" + element + ">", begin);
    if (end == std::string::npos) break;
    text.erase(begin, end - begin);
  }
  return text;
}

/// Every element that is opened is closed, in order, no id comes twice, and no text holds a bare &
/// or <.
inline void expect_well_formed(const std::string& document) {
  const std::string markup = without_content(without_content(document, "script"), "style");
  const std::regex identifier(" id=\"([^\"]*)\"");
  std::vector<std::string> open, ids;
  size_t at = 0;
  while ((at = markup.find('<', at)) != std::string::npos) {
    const size_t end = markup.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = markup.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    const bool is_void = name == "meta" || name == "input" || name == "!doctype";
    std::smatch id;
    if (std::regex_search(tag, id, identifier)) ids.push_back(id[1]);
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ(open.back(), tag.substr(1)) << "at " << at;
      open.pop_back();
    } else if (tag.back() != '/' && !is_void) {
      open.push_back(name);
    }
    EXPECT_EQ(count(tag, "\"") % 2, 0u) << tag;
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    at = end;
  }
  EXPECT_TRUE(open.empty());
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << "an id comes twice";
  const std::regex entity("&(amp|lt|gt|quot);");
  EXPECT_THAT(std::regex_replace(markup, entity, ""), ::testing::Not(::testing::HasSubstr("&")));
}

}  // namespace floydnet
