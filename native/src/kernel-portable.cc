/** The kernel in plain C++: for machines that no other was written for, and the tails of blocks. */

#include "grammar.h"
#include "kernel.h"

namespace loadout {

namespace {

int64_t strip(Bytes text, uint8_t* out, Structure& structure) {
  size_t rejectedAt;
  return stripByLetter(text, 0xffffffff, out, &structure, rejectedAt);
}

bool index(Bytes json, Structure& structure) {
  size_t rejectedAt;
  const int64_t kept = stripByLetter(json, 0xffffffff, nullptr, &structure, rejectedAt);
  return kept == static_cast<int64_t>(json.size);
}

bool takesBackslash(uint8_t byte) { return byte == '"' || byte == '\\'; }

size_t countEscaped(Bytes json) {
  size_t count = 0;
  for (size_t at = 0; at < json.size; at++) count += takesBackslash(json.data[at]);
  return count;
}

uint8_t* escape(Bytes json, uint8_t* out, const uint8_t*) {
  for (size_t at = 0; at < json.size; at++) {
    // Without a branch, which no processor could predict: where there is nothing to escape, the byte overwrites the backslash.
    *out = '\\';
    out += takesBackslash(json.data[at]);
    *out++ = json.data[at];
  }
  return out;
}

}  // namespace

const Kernel portableKernel = {"portable", strip, index, countEscaped, escape};

}  // namespace loadout
