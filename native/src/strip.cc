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
  rejectedAt_ = notRejected;
  if (hasByteOrderMark(text) || !isUtf8(text)) {
    rejectedAt_ = hasByteOrderMark(text) ? 0 : utf8ErrorOffset(text);
    return StripStatus::rejected;
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
  rejectedAt_ = notRejected;
  if (!structure_.begin(json.data, 0xffffffff, true)) return StripStatus::outOfMemory;
  if (kernel.index(json, structure_)) return StripStatus::ok;
  return structure_.outOfMemory() ? StripStatus::outOfMemory : StripStatus::rejected;
}

/** A kernel only knows that the text is rejected. Rejected texts are rare, so the slow way is good enough. */
StripStatus Stripper::explain(Bytes text, uint32_t levelsMax) {
  const int64_t kept = stripByLetter(text, levelsMax, nullptr, nullptr, rejectedAt_);
  insist(kept < 0, "a kernel rejects only what the grammar rejects");
  return rejectedAt_ == notRejected ? StripStatus::outOfMemory : StripStatus::rejected;
}

void Stripper::trim() {
  out_.trim(bytesKeptMax);
  structure_.trim(bytesKeptMax);
}

}  // namespace loadout
