/** The spans and the one kind of memory that the core works with. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace loadout {

/** Bytes that somebody else owns; they stay put and unchanged for as long as the span is used. */
struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

/** An array that only grows, not initialised, kept between calls so that its pages are touched once. */
template <typename T>
class Grown {
 public:
  Grown() = default;
  Grown(const Grown&) = delete;
  Grown& operator=(const Grown&) = delete;
  ~Grown() { std::free(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t capacity() const { return capacity_; }

  /** Makes room for `count` items, keeping what is there. False: there is no memory. */
  bool reserve(size_t count) {
    if (count <= capacity_) return true;
    const size_t doubled = capacity_ * 2;
    const size_t wanted = count > doubled ? count : doubled;
    if (wanted > SIZE_MAX / sizeof(T)) return false;
    void* moved = std::realloc(data_, wanted * sizeof(T));
    if (moved == nullptr) return false;
    data_ = static_cast<T*>(moved);
    capacity_ = wanted;
    return true;
  }

  /** Gives the memory back if it is more than `countKept` items. */
  void trim(size_t countKept) {
    if (capacity_ <= countKept) return;
    std::free(data_);
    data_ = nullptr;
    capacity_ = 0;
  }

 private:
  T* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace loadout
