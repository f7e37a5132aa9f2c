/**
 * What string literals mean, as UTF-8. A lone surrogate, which UTF-8 cannot hold, becomes the three bytes that its number
 * would have, so that two literals have the same bytes exactly when they mean the same text.
 */
#pragma once

#include "arena.h"
#include "bytes.h"

namespace loadout {

/** `literal`: well formed, quotes included. The result is a part of it, or in the arena if it has an escape. */
Bytes textOf(Bytes literal, Arena& arena);

/** The text as a key is written anew: the way of JSON.stringify, with a colon behind it. */
Bytes writtenKey(Bytes text, Arena& arena);

}  // namespace loadout
