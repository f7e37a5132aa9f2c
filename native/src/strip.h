/** JSONC to delivered JSON: validation, the place of an error, and the index. */
#pragma once

#include "grammar.h"
#include "kernel.h"

namespace loadout {

enum class StripStatus : uint8_t { ok, rejected, outOfMemory };

/** Keeps its memory between texts; the results are valid until the next call. */
class Stripper {
 public:
  /** `text` must be shorter than 2^32 - 1 bytes. `levelsMax`: how deep objects and arrays may nest. */
  StripStatus strip(const Kernel& kernel, Bytes text, uint32_t levelsMax, bool indexed);

  /** Indexes what `strip` returned, now or long ago. Rejected: it is no minified JSON. */
  StripStatus index(const Kernel& kernel, Bytes json);

  Bytes json() const { return {out_.data(), size_}; }
  const uint32_t* nodes() const { return structure_.nodes(); }
  size_t nodeCount() const { return structure_.nodeCount(); }
  /** The offset at which the text is rejected. */
  size_t rejectedAt() const { return rejectedAt_; }
  /** Gives back what large texts have grown beyond some megabytes. */
  void trim();

 private:
  StripStatus explain(Bytes text, uint32_t levelsMax);

  Grown<uint8_t> out_;
  size_t size_ = 0;
  Structure structure_;
  size_t rejectedAt_ = notRejected;
};

}  // namespace loadout
