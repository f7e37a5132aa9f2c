#include "token.h"

namespace loadout {

namespace {

bool isDigit(uint8_t byte) { return static_cast<uint8_t>(byte - '0') < 10; }

/** 0 beyond the end: no token has a NUL in it. */
uint8_t byteAt(Bytes text, size_t at) { return at < text.size ? text.data[at] : 0; }

size_t skipDigits(Bytes text, size_t at) {
  while (at < text.size && isDigit(text.data[at])) at++;
  return at;
}

int64_t refusedAt(size_t at) { return ~static_cast<int64_t>(at); }

/** Bytes of the escape whose letter is at `at`, with its backslash; 0: JSON has no such escape. */
size_t escapeWidth(Bytes text, size_t at) {
  const uint8_t letter = byteAt(text, at);
  if (letter != 'u') return isEscapeLetter(letter) ? 2 : 0;
  for (size_t i = at + 1; i < at + 5; i++) {
    if (hexValue(byteAt(text, i)) < 0) return 0;
  }
  return 6;
}

}  // namespace

int hexValue(uint8_t byte) {
  if (isDigit(byte)) return byte - '0';
  const uint8_t letter = static_cast<uint8_t>((byte | 0x20) - 'a');
  return letter < 6 ? letter + 10 : -1;
}

bool isEscapeLetter(uint8_t byte) {
  switch (byte) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      return true;
    default:
      return false;
  }
}

int64_t scanString(Bytes text, size_t at) {
  size_t i = at + 1;
  while (i < text.size) {
    const uint8_t byte = text.data[i];
    if (byte == '"') return static_cast<int64_t>(i + 1);
    if (byte == '\\') {
      const size_t width = escapeWidth(text, i + 1);
      if (width == 0) return refusedAt(i + 1 < text.size ? i : text.size);
      i += width;
    } else if (byte < 0x20) {
      return refusedAt(i);
    } else {
      i++;
    }
  }
  return refusedAt(text.size);
}

int64_t scanNumber(Bytes text, size_t at) {
  size_t i = at;
  if (byteAt(text, i) == '-') i++;
  const size_t integer = i;
  i = skipDigits(text, i);
  if (i == integer) return refusedAt(i);
  if (text.data[integer] == '0' && i > integer + 1) return refusedAt(integer);
  if (byteAt(text, i) == '.') {
    const size_t fraction = i + 1;
    i = skipDigits(text, fraction);
    if (i == fraction) return refusedAt(i);
  }
  if ((byteAt(text, i) | 0x20) == 'e') {
    i++;
    if (byteAt(text, i) == '+' || byteAt(text, i) == '-') i++;
    const size_t exponent = i;
    i = skipDigits(text, exponent);
    if (i == exponent) return refusedAt(i);
  }
  return static_cast<int64_t>(i);
}

int64_t scanWord(Bytes text, size_t at, Bytes word) {
  if (text.size - at < word.size) return refusedAt(at);
  if (std::memcmp(text.data + at, word.data, word.size) != 0) return refusedAt(at);
  return static_cast<int64_t>(at + word.size);
}

}  // namespace loadout
