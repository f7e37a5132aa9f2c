/**
 * JSONC by the letter, a byte at a time. It says where a text stops being one, which the kernels cannot; and it is the
 * whole strip on a machine that none of them was written for.
 */
#pragma once

#include "bytes.h"
#include "structure.h"

namespace loadout {

/** No text is rejected here: there was no memory, or nothing is wrong with it. */
constexpr size_t notRejected = SIZE_MAX;

/**
 * `out` and `structure` may be null; they are as a kernel's. Returns how many bytes it kept, or -1; `rejectedAt` is then
 * the offset at which src/content/json/jsonc.ts rejects the text, too.
 */
int64_t stripByLetter(Bytes text, uint32_t levelsMax, uint8_t* out, Structure* structure, size_t& rejectedAt);

}  // namespace loadout
