#include "json-pointer.h"

namespace loadout {

namespace {

int64_t indexOf(Bytes text) {
  if (text.size == 1 && text.data[0] == '-') return PointerToken::arrayEnd;
  if (text.size == 0 || (text.data[0] == '0' && text.size > 1)) return PointerToken::notAnIndex;
  // No array has more elements than this; a larger index means the same.
  constexpr int64_t beyond = int64_t{1} << 40;
  int64_t index = 0;
  for (size_t at = 0; at < text.size; at++) {
    const uint8_t digit = static_cast<uint8_t>(text.data[at] - '0');
    if (digit > 9) return PointerToken::notAnIndex;
    if (index < beyond) index = 10 * index + digit;
  }
  return index;
}

/** False: a `~` is neither `~0` nor `~1`. */
bool parseToken(Bytes raw, PointerToken& token, Arena& arena) {
  uint8_t* const text = arena.array<uint8_t>(raw.size);
  size_t size = 0;
  for (size_t at = 0; at < raw.size; at++) {
    uint8_t byte = raw.data[at];
    if (byte == '~') {
      const uint8_t digit = ++at < raw.size ? raw.data[at] : 0;
      if (digit != '0' && digit != '1') return false;
      byte = digit == '0' ? '~' : '/';
    }
    text[size++] = byte;
  }
  token = {{{text, size}}, indexOf({text, size})};
  return true;
}

}  // namespace

bool JsonPointer::contains(const JsonPointer& other) const {
  if (other.count <= count) return false;
  for (uint32_t depth = 0; depth < count; depth++) {
    if (!tokens[depth].key.text.equals(other.tokens[depth].key.text)) return false;
  }
  return true;
}

bool parsePointer(Bytes text, JsonPointer& pointer, Arena& arena) {
  pointer = {text, nullptr, 0};
  if (text.size == 0) return true;
  if (text.data[0] != '/') return false;
  ArenaList<PointerToken> tokens(arena);
  size_t start = 1;
  for (size_t at = 1; at <= text.size; at++) {
    if (at < text.size && text.data[at] != '/') continue;
    PointerToken token;
    if (!parseToken({text.data + start, at - start}, token, arena)) return false;
    tokens.push(token);
    start = at + 1;
  }
  pointer.tokens = tokens.begin();
  pointer.count = static_cast<uint32_t>(tokens.size());
  return true;
}

}  // namespace loadout
