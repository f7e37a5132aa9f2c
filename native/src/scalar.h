/** Whether a token that is no string is a number or one of the three words, eight bytes at a time where that will do. */
#pragma once

#include "token.h"

namespace loadout {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a text is the lowest of a word");

/** One word of eight bytes, each `byte`. */
constexpr uint64_t everyByte(uint8_t byte) { return uint64_t{0x0101010101010101} * byte; }

/** The characters of a short text as the lowest bytes of a word. */
constexpr uint64_t wordOf(const char* text) {
  uint64_t word = 0;
  for (int i = 0; text[i] != 0; i++) word |= static_cast<uint64_t>(text[i]) << (8 * i);
  return word;
}

/** The high bit of every byte that is no decimal digit. */
inline uint64_t nonDigits(uint64_t word) {
  const uint64_t fromZero = word ^ everyByte('0');
  return (fromZero | ((fromZero & everyByte(0x7f)) + everyByte(0x80 - 10))) & everyByte(0x80);
}

/** A token of at most eight bytes, the first the lowest. It knows integers and decimals; exponents take the long way. */
inline bool isShortNumber(uint64_t token, unsigned size) {
  const bool isNegative = (token & 0xff) == '-';
  token >>= isNegative ? 8 : 0;
  size -= isNegative;
  if (size == 0) return false;
  const uint64_t mask = ~uint64_t{0} >> (64 - 8 * size);
  const uint64_t others = nonDigits(token) & mask;
  const bool mayLeadZeros = (token & 0xff) != '0' || size == 1;
  if (others == 0) return mayLeadZeros;
  // One point, and digits on both sides of it.
  const int pointAt = __builtin_ctzll(others) - 7;
  const bool isPoint = (token >> pointAt & 0xff) == '.' && (others & (others - 1)) == 0;
  return isPoint && pointAt > 0 && pointAt < static_cast<int>(8 * size - 8) && (mayLeadZeros || pointAt == 8);
}

/** `end` is after `start`; `readable` is how much of `json` there is to read. */
inline bool isScalar(const uint8_t* json, size_t start, size_t end, size_t readable) {
  const size_t size = end - start;
  if (size <= 8 && start + 8 <= readable) {
    uint64_t token;
    std::memcpy(&token, json + start, 8);
    if (json[start] >= 'a') {
      const uint64_t word = token & ~uint64_t{0} >> (64 - 8 * size);
      // A NUL behind the word would look like what was masked away.
      if (size == 4) return word == wordOf("true") || word == wordOf("null");
      return size == 5 && word == wordOf("false");
    }
    if (isShortNumber(token, static_cast<unsigned>(size))) return true;
  }
  const Bytes token{json + start, size};
  int64_t scanned;
  switch (json[start]) {
    case 't': scanned = scanWord(token, 0, trueWord); break;
    case 'f': scanned = scanWord(token, 0, falseWord); break;
    case 'n': scanned = scanWord(token, 0, nullWord); break;
    default: scanned = scanNumber(token, 0);
  }
  return scanned == static_cast<int64_t>(size);
}

}  // namespace loadout
