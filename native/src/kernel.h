/** What depends on the processor, once per instruction set; picked at run time. */
#pragma once

#include "bytes.h"
#include "structure.h"

namespace loadout {

struct Kernel {
  const char* name;

  /**
   * Writes `text` to `out`, which has room for `text.size + kernelSlack` bytes, without comments, white space and
   * trailing commas, and hands its structural characters to `structure`, which was begun with `out`.
   * Returns how many bytes it wrote, or -1: it is no JSONC, or there is no memory. `text` must be UTF-8.
   */
  int64_t (*strip)(Bytes text, uint8_t* out, Structure& structure);

  /** Hands over the structural characters of minified JSON, with which `structure` was begun. False: it is none. */
  bool (*index)(Bytes json, Structure& structure);

  /** How many bytes are a quote or a backslash. */
  size_t (*countEscaped)(Bytes json);

  /** Writes `json`, less those bytes, with a backslash before each of them. Returns the end of what it wrote. */
  uint8_t* (*escape)(Bytes json, uint8_t* out, const uint8_t* outEnd);
};

/** Whole blocks are written; what is behind the end means nothing. */
constexpr size_t kernelSlack = 64;

/** The best one that this machine runs. */
const Kernel& bestKernel();

/** The kernel of that name, if it was built and this machine runs it, or null. */
const Kernel* kernelNamed(const char* name);

/** Every kernel that this machine runs, best first; returns how many of `kernels` were set. */
size_t supportedKernels(const Kernel** kernels, size_t countMax);

bool isUtf8(Bytes text);

/** The kernel that needs nothing of the processor (kernel-portable.cc). */
extern const Kernel portableKernel;

}  // namespace loadout
