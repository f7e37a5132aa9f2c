/** What must be true whatever the input: if it is not, the process ends, as it does at a failed assert of the TypeScript side. */
#pragma once

#include <cstdio>
#include <cstdlib>

namespace loadout {

inline void insist(bool isTrue, const char* promise) {
  if (isTrue) return;
  std::fprintf(stderr, "loadout native: this must hold and does not: %s\n", promise);
  std::abort();
}

}  // namespace loadout
