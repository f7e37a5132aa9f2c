/** What the fuzz targets share: memory whose every wrong byte is seen, and promises that are kept. */
#pragma once

#include <cstdio>
#include <cstdlib>

#include "bytes.h"

inline void check(bool isTrue, const char* promise) {
  if (isTrue) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

/** Exactly that many bytes on the heap, so that the sanitizer sees a byte too many on either side. */
class Exact {
 public:
  explicit Exact(size_t size) : data_(static_cast<uint8_t*>(std::malloc(size))), size_(size) {}
  Exact(const uint8_t* bytes, size_t size) : Exact(size) {
    if (size > 0) std::memcpy(data_, bytes, size);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { std::free(data_); }

  uint8_t* data() const { return data_; }
  loadout::Bytes bytes() const { return {data_, size_}; }

 private:
  uint8_t* data_;
  size_t size_;
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
