/**
 * One kernel per instruction set, from simdjson's own parts: its block classification, string and escape masks, and
 * UTF-8 check. They live in unnamed namespaces of its one source file, which is therefore compiled in here.
 */

#define SIMDJSON_EXCEPTIONS 0
#include "simdjson.cpp"

#include "kernel.h"
#include "token.h"

#if SIMDJSON_IMPLEMENTATION_ICELAKE
SIMDJSON_TARGET_REGION("avx512f,avx512dq,avx512cd,avx512bw,avx512vbmi,avx512vbmi2,avx512vl,avx2,bmi,pclmul,lzcnt,popcnt")
namespace loadout::icelake {
using namespace simdjson::icelake;
/** Through a register: compressing straight into memory is microcoded on some processors. */
simdjson_inline void keepBytes(const simd::simd8x64<uint8_t>& in, uint64_t keep, uint8_t* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(keep, in.chunks[0]));
}
#include "kernel-simd.inc"
}  // namespace loadout::icelake
SIMDJSON_UNTARGET_REGION
#endif

#if SIMDJSON_IMPLEMENTATION_HASWELL
SIMDJSON_TARGET_REGION("avx2,bmi,pclmul,lzcnt,popcnt")
namespace loadout::haswell {
using namespace simdjson::haswell;
simdjson_inline void keepBytes(const simd::simd8x64<uint8_t>& in, uint64_t keep, uint8_t* out) {
  in.compress(~keep, out);
}
#include "kernel-simd.inc"
}  // namespace loadout::haswell
SIMDJSON_UNTARGET_REGION
#endif

#if SIMDJSON_IMPLEMENTATION_WESTMERE
SIMDJSON_TARGET_REGION("sse4.2,pclmul,popcnt")
namespace loadout::westmere {
using namespace simdjson::westmere;
simdjson_inline void keepBytes(const simd::simd8x64<uint8_t>& in, uint64_t keep, uint8_t* out) {
  in.compress(~keep, out);
}
#include "kernel-simd.inc"
}  // namespace loadout::westmere
SIMDJSON_UNTARGET_REGION
#endif

#if SIMDJSON_IMPLEMENTATION_ARM64
namespace loadout::arm64 {
using namespace simdjson::arm64;
simdjson_inline void keepBytes(const simd::simd8x64<uint8_t>& in, uint64_t keep, uint8_t* out) {
  in.compress(~keep, out);
}
#include "kernel-simd.inc"
}  // namespace loadout::arm64
#endif

namespace loadout {

namespace {

#define LOADOUT_KERNEL(set) \
  Kernel { #set, set::strip, set::index, set::countEscaped, set::escape }

const Kernel kernels[] = {
#if SIMDJSON_IMPLEMENTATION_ICELAKE
    LOADOUT_KERNEL(icelake),
#endif
#if SIMDJSON_IMPLEMENTATION_HASWELL
    LOADOUT_KERNEL(haswell),
#endif
#if SIMDJSON_IMPLEMENTATION_WESTMERE
    LOADOUT_KERNEL(westmere),
#endif
#if SIMDJSON_IMPLEMENTATION_ARM64
    LOADOUT_KERNEL(arm64),
#endif
    portableKernel,
};

#undef LOADOUT_KERNEL

/** simdjson knows what the machine has; a kernel of ours has the name of its implementation. */
bool isSupported(const Kernel& kernel) {
  if (std::strcmp(kernel.name, portableKernel.name) == 0) return true;
  const auto* implementation = simdjson::get_available_implementations()[kernel.name];
  return implementation != nullptr && implementation->supported_by_runtime_system();
}

}  // namespace

size_t supportedKernels(const Kernel** supported, size_t countMax) {
  size_t count = 0;
  for (const Kernel& kernel : kernels) {
    if (count < countMax && isSupported(kernel)) supported[count++] = &kernel;
  }
  return count;
}

const Kernel& bestKernel() {
  const Kernel* best = &portableKernel;
  supportedKernels(&best, 1);
  return *best;
}

const Kernel* kernelNamed(const char* name) {
  for (const Kernel& kernel : kernels) {
    if (std::strcmp(kernel.name, name) == 0) return isSupported(kernel) ? &kernel : nullptr;
  }
  return nullptr;
}

bool isUtf8(Bytes text) {
  return simdjson::validate_utf8(reinterpret_cast<const char*>(text.data), text.size);
}

}  // namespace loadout
