#include "hash.h"

#if defined(__x86_64__) || defined(_M_X64)
#include "xxh_x86dispatch.h"
#else
#include "xxhash.h"
#endif

namespace loadout {

uint64_t hashOf(Bytes bytes) {
#if defined(__x86_64__) || defined(_M_X64)
  return XXH3_64bits_dispatch(bytes.data, bytes.size);
#else
  return XXH3_64bits(bytes.data, bytes.size);
#endif
}

}  // namespace loadout
