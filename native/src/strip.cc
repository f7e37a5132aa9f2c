#include "strip.h"

#include "insist.h"
#include "utf8.h"

namespace loadout {

namespace {

constexpr size_t bytesKeptMax = 8 << 20;

bool hasByteOrderMark(Bytes text) {
  return text.size >= 3 && std::memcmp(text.data, "\xef\xbb\xbf", 3) == 0;
}

}  // namespace

StripStatus Stripper::strip(const Kernel& kernel, Bytes text, uint32_t levelsMax, bool indexed) {
  size_ = 0;
  fault_ = noFault;
  if (hasByteOrderMark(text) || !isUtf8(text)) {
    fault_ = hasByteOrderMark(text) ? 0 : utf8FaultOffset(text);
    return StripStatus::fault;
  }
  if (!out_.reserve(text.size + kernelSlack)) return StripStatus::outOfMemory;
  if (!structure_.begin(out_.data(), levelsMax, indexed)) return StripStatus::outOfMemory;
  const int64_t kept = kernel.strip(text, out_.data(), structure_);
  if (kept < 0) return structure_.outOfMemory() ? StripStatus::outOfMemory : explain(text, levelsMax);
  size_ = static_cast<size_t>(kept);
  return StripStatus::ok;
}

StripStatus Stripper::index(const Kernel& kernel, Bytes json) {
  size_ = 0;
  fault_ = noFault;
  if (!structure_.begin(json.data, 0xffffffff, true)) return StripStatus::outOfMemory;
  if (kernel.index(json, structure_)) return StripStatus::ok;
  return structure_.outOfMemory() ? StripStatus::outOfMemory : StripStatus::fault;
}

/** A kernel only knows that the text is refused. Few are, and they may take the long way. */
StripStatus Stripper::explain(Bytes text, uint32_t levelsMax) {
  const int64_t kept = stripByLetter(text, levelsMax, nullptr, nullptr, fault_);
  insist(kept < 0, "a kernel refuses only what the grammar refuses");
  return fault_ == noFault ? StripStatus::outOfMemory : StripStatus::fault;
}

void Stripper::trim() {
  out_.trim(bytesKeptMax);
  structure_.trim(bytesKeptMax);
}

}  // namespace loadout
