/** UTF-8: lengths, checks and encoding of single characters. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadout::detail {

/** Bytes of the character at `at`; 0 if there is none in valid UTF-8 (RFC 3629). */
inline std::size_t utf8Length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t offset) -> unsigned {
    return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0u;
  };
  const auto isTail = [&](std::size_t offset) { return (byte(offset) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (at >= text.size()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return isTail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned lowest = first == 0xE0 ? 0xA0u : 0x80u;
    const unsigned highest = first == 0xED ? 0x9Fu : 0xBFu;
    return byte(1) >= lowest && byte(1) <= highest && isTail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned lowest = first == 0xF0 ? 0x90u : 0x80u;
    const unsigned highest = first == 0xF4 ? 0x8Fu : 0xBFu;
    return byte(1) >= lowest && byte(1) <= highest && isTail(2) && isTail(3) ? 4 : 0;
  }
  return 0;
}

/** The number of characters; `npos` if the text is not UTF-8. */
inline std::size_t countCharacters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const std::size_t length = utf8Length(text, at);
    if (length == 0) return std::string_view::npos;
    at += length;
  }
  return count;
}

inline bool isUtf8(std::string_view text) { return countCharacters(text) != std::string_view::npos; }

/** Appends a character; a surrogate, which UTF-8 cannot hold, becomes U+FFFD. */
inline void appendUtf8(std::string& out, std::uint32_t character) {
  if (character >= 0xD800 && character <= 0xDFFF) character = 0xFFFD;
  const auto append = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0 | (character >> 6));
    append(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    append(0xE0 | (character >> 12));
    append(0x80 | ((character >> 6) & 0x3F));
    append(0x80 | (character & 0x3F));
  } else {
    append(0xF0 | (character >> 18));
    append(0x80 | ((character >> 12) & 0x3F));
    append(0x80 | ((character >> 6) & 0x3F));
    append(0x80 | (character & 0x3F));
  }
}

}  // namespace loadout::detail
