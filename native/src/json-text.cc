#include "json-text.h"

#include "token.h"
#include "utf8.h"

namespace loadout {

namespace {

uint32_t hexAt(const uint8_t* digits) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) value = value << 4 | static_cast<uint32_t>(hexValue(digits[i]));
  return value;
}

bool isHighSurrogate(uint32_t code) { return (code & 0xfffffc00) == 0xd800; }
bool isLowSurrogate(uint32_t code) { return (code & 0xfffffc00) == 0xdc00; }

uint8_t meaningOf(uint8_t letter) {
  switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return letter;
  }
}

/** The letter of the escape of a control character that has a short one, or 0. */
uint8_t shortEscapeOf(uint8_t byte) {
  switch (byte) {
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '"': case '\\': return byte;
    default: return 0;
  }
}

uint8_t* writeHexEscape(uint32_t code, uint8_t* out) {
  const char* const digits = "0123456789abcdef";
  *out++ = '\\';
  *out++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *out++ = static_cast<uint8_t>(digits[code >> shift & 0xf]);
  return out;
}

}  // namespace

Bytes textOf(Bytes literal, Arena& arena) {
  const Bytes inner{literal.data + 1, literal.size - 2};
  if (inner.size == 0 || std::memchr(inner.data, '\\', inner.size) == nullptr) return inner;
  uint8_t* const text = arena.array<uint8_t>(inner.size);
  uint8_t* out = text;
  size_t at = 0;
  while (at < inner.size) {
    if (inner.data[at] != '\\') {
      *out++ = inner.data[at++];
      continue;
    }
    const uint8_t letter = inner.data[at + 1];
    if (letter != 'u') {
      *out++ = meaningOf(letter);
      at += 2;
      continue;
    }
    uint32_t code = hexAt(inner.data + at + 2);
    at += 6;
    const bool isPair = isHighSurrogate(code) && at + 6 <= inner.size && inner.data[at] == '\\' &&
                        inner.data[at + 1] == 'u' && isLowSurrogate(hexAt(inner.data + at + 2));
    if (isPair) {
      code = 0x10000 + ((code - 0xd800) << 10) + (hexAt(inner.data + at + 2) - 0xdc00);
      at += 6;
    }
    out = writeUtf8(code, out);
  }
  return {text, static_cast<size_t>(out - text)};
}

Bytes writtenKey(Bytes text, Arena& arena) {
  uint8_t* const key = arena.array<uint8_t>(6 * text.size + 3);
  uint8_t* out = key;
  *out++ = '"';
  for (size_t at = 0; at < text.size; at++) {
    const uint8_t byte = text.data[at];
    const uint8_t letter = shortEscapeOf(byte);
    if (letter != 0) {
      *out++ = '\\';
      *out++ = letter;
    } else if (byte < 0x20) {
      out = writeHexEscape(byte, out);
    } else if (byte == 0xed && text.data[at + 1] >= 0xa0) {
      const uint32_t surrogate = 0xd000u | (text.data[at + 1] & 0x3fu) << 6 | (text.data[at + 2] & 0x3fu);
      out = writeHexEscape(surrogate, out);
      at += 2;
    } else {
      *out++ = byte;
    }
  }
  *out++ = '"';
  *out++ = ':';
  return {key, static_cast<size_t>(out - key)};
}

}  // namespace loadout
