/** Whether two values are the same JSON: strings unescaped, numbers as exact decimals, members without order. */
#pragma once

#include "value.h"

namespace loadout {

/** Of a repeated key the last member counts. No recursion: depth is data. */
bool jsonEqual(const Value& one, const Value& other, Arena& scratch);

}  // namespace loadout
