/** Whether a mutation missed, and its limits. The words are the twin's, which is asked for them when somebody reads. */
#pragma once

#include "value.h"

namespace loadout {

struct MutationFault {
  /** It could not apply, and left the value as before it. */
  bool isMissed = false;
  /** At which operation of a patch; -1: the fault is not one operation's. */
  int64_t operation = -1;
};

/** What a mutation may insert may nest this deep, its place included. */
constexpr uint32_t mutatedLevelsMax = 1000;

/** A document that is over the limit already may be edited as long as it does not grow. */
inline bool hasOutgrown(const Value& before, const Value& after, uint64_t bytesMax) {
  return sizeOf(after) > bytesMax && sizeOf(after) > sizeOf(before);
}

}  // namespace loadout
