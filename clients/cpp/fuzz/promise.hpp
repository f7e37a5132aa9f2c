/** A promise that a fuzzer tries to break. */
#pragma once

#include <cstdlib>

inline void promise(bool isKept) {
  if (!isKept) std::abort();
}
