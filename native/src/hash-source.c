/* xxHash itself, as npm brings it; on x86-64 with the choice of instruction set at run time. */
#if defined(__x86_64__) || defined(_M_X64)
#include "xxh_x86dispatch.c"
#else
#include "xxhash.c"
#endif
