/** Strings of JSON: from their quoted form and to it; and members of objects, found by name. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loadout/detail/json.hpp"
#include "loadout/detail/utf8.hpp"

namespace loadout::detail {

inline std::uint32_t hexQuad(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t end = at + 4; at < end && at < text.size(); ++at) {
    const char c = text[at];
    const int digit = isDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * 16 + static_cast<std::uint32_t>(digit & 15);
  }
  return value;
}

/** What a quoted string of checked JSON stands for. Half a surrogate pair becomes U+FFFD. */
inline std::string unquoted(std::string_view quoted) {
  if (quoted.size() < 2) return {};
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 >= text.size()) {
      out.push_back(text[at]);
      continue;
    }
    const char kind = text[++at];
    if (kind == 'u') {
      std::uint32_t character = hexQuad(text, at + 1);
      at += 4;
      const bool isHigh = character >= 0xD800 && character < 0xDC00;
      if (isHigh && text.substr(at + 1 < text.size() ? at + 1 : text.size(), 2) == "\\u") {
        const std::uint32_t low = hexQuad(text, at + 3);
        if (low >= 0xDC00 && low < 0xE000) {
          character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
          at += 6;
        }
      }
      appendUtf8(out, character);
      continue;
    }
    constexpr std::string_view letters = "bfnrt";
    const std::size_t letter = letters.find(kind);
    out.push_back(letter == std::string_view::npos ? kind : "\b\f\n\r\t"[letter]);
  }
  return out;
}

/** Whether a quoted string stands for this text. */
inline bool quotedIs(std::string_view quoted, std::string_view text) {
  if (quoted.size() < 2) return false;
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  return inner.find('\\') == std::string_view::npos ? inner == text : unquoted(quoted) == text;
}

/** Appends `text`, which is UTF-8, as a quoted string. */
inline void appendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out.push_back("01"[c >> 4]);
      out.push_back("0123456789abcdef"[c & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

/** Appends `"name":`, behind a comma unless it is the first of its object. `name` needs no escapes. */
inline void appendName(std::string& out, std::string_view name) {
  if (!out.empty() && out.back() != '{') out.push_back(',');
  out.push_back('"');
  out += name;
  out += "\":";
}

inline void appendMember(std::string& out, std::string_view name, std::string_view text) {
  appendName(out, name);
  appendQuoted(out, text);
}

/** The value of the last member of that name in a checked object; empty if there is none. */
inline std::string_view memberOf(std::string_view object, std::string_view name) {
  std::string_view found;
  for (JsonMembers members(object); members.next();) {
    if (quotedIs(members.name, name)) found = members.value;
  }
  return found;
}

/** The text of a string; empty for any other value. */
inline std::string textOf(std::string_view value) {
  return kindOf(value) == JsonKind::String ? unquoted(value) : std::string();
}

}  // namespace loadout::detail
