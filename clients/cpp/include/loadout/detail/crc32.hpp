/** CRC-32 (RFC 1952), by which stored items and delivered entries are checked. */
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace loadout::detail {

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t at = 0; at < 256; ++at) {
    std::uint32_t entry = at;
    for (int bit = 0; bit < 8; ++bit) entry = (entry >> 1) ^ ((entry & 1) != 0 ? 0xEDB88320u : 0u);
    table[at] = entry;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 256> crcTable = makeCrcTable();

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes) crc = (crc >> 8) ^ crcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return crc ^ 0xFFFFFFFFu;
}

/** `digits` lower-case hex digits, with leading zeros. */
inline std::string hexOf(std::uint64_t value, std::size_t digits) {
  std::string text(digits, '0');
  for (std::size_t at = digits; at > 0; --at, value >>= 4) text[at - 1] = "0123456789abcdef"[value & 15];
  return text;
}

inline std::string crcText(std::string_view bytes) { return hexOf(crc32(bytes), 8); }

inline bool isLowerHex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace loadout::detail
