/** Keeps a long chain of edits from filling memory: nothing in an arena is freed, and most of it is soon of no use. */
#pragma once

#include "value.h"

namespace loadout {

class Clearing {
 public:
  explicit Clearing(Arena& arena) : arena_(arena), heldMax_(arena.held() + garbageBytesMax) {}

  /** If much has gathered, moves the values to fresh memory; whatever else points into the arena is then invalid. */
  void clear(Value* values, size_t count) {
    if (arena_.held() <= heldMax_) return;
    Arena fresh;
    for (size_t i = 0; i < count; i++) values[i] = moveValue(values[i], fresh);
    arena_.swap(fresh);
    heldMax_ = 2 * arena_.held() + garbageBytesMax;
  }

 private:
  static constexpr size_t garbageBytesMax = 16 << 20;

  Arena& arena_;
  size_t heldMax_;
};

}  // namespace loadout
