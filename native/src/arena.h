/** Memory that is given out piece by piece and taken back all at once. */
#pragma once

#include <type_traits>
#include <utility>

#include "insist.h"
#include "bytes.h"

namespace loadout {

/** What it gives out is not initialised and has no destructor. Without memory the process ends, as Node's own would. */
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { freeAll(); }

  template <typename T>
  T* array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 16);
    insist(count <= SIZE_MAX / 2 / sizeof(T), "an array has a size");
    return static_cast<T*>(take(count * sizeof(T)));
  }

  template <typename T>
  T* one(const T& value) {
    T* const place = array<T>(1);
    *place = value;
    return place;
  }

  Bytes copy(Bytes bytes) {
    uint8_t* const place = array<uint8_t>(bytes.size);
    if (bytes.size > 0) std::memcpy(place, bytes.data, bytes.size);
    return {place, bytes.size};
  }

  /** What it holds, in bytes. */
  size_t held() const { return held_; }

  /** Forgets all it gave out; keeps one chunk for what comes next. */
  void reset() {
    if (chunks_ == nullptr) return;
    while (chunks_->before != nullptr) dropChunk();
    if (chunks_->size > chunkBytes) return freeAll();
    at_ = chunks_->begin();
  }

  void swap(Arena& other) {
    std::swap(chunks_, other.chunks_);
    std::swap(at_, other.at_);
    std::swap(end_, other.end_);
    std::swap(held_, other.held_);
  }

 private:
  struct alignas(16) Chunk {
    Chunk* before;
    size_t size;
    uint8_t* begin() { return reinterpret_cast<uint8_t*>(this + 1); }
  };

  static constexpr size_t chunkBytes = 64 * 1024;

  void* take(size_t bytes) {
    // Never nothing: the place of an empty array is a place, too.
    const size_t rounded = (bytes + 16) & ~size_t{15};
    if (static_cast<size_t>(end_ - at_) < rounded) addChunk(rounded);
    uint8_t* const place = at_;
    at_ += rounded;
    return place;
  }

  void addChunk(size_t bytesMin) {
    const size_t size = bytesMin > chunkBytes ? bytesMin : chunkBytes;
    Chunk* const chunk = static_cast<Chunk*>(std::malloc(sizeof(Chunk) + size));
    insist(chunk != nullptr, "there is memory for an edit");
    *chunk = {chunks_, size};
    chunks_ = chunk;
    at_ = chunk->begin();
    end_ = at_ + size;
    held_ += size;
  }

  void dropChunk() {
    Chunk* const last = chunks_;
    chunks_ = last->before;
    held_ -= last->size;
    std::free(last);
    at_ = chunks_ == nullptr ? nullptr : chunks_->begin();
    end_ = chunks_ == nullptr ? nullptr : at_ + chunks_->size;
  }

  void freeAll() {
    while (chunks_ != nullptr) dropChunk();
  }

  Chunk* chunks_ = nullptr;
  uint8_t* at_ = nullptr;
  uint8_t* end_ = nullptr;
  size_t held_ = 0;
};

/** A list that grows inside an arena; what it outgrows is lost until the arena is reset. */
template <typename T>
class ArenaList {
 public:
  explicit ArenaList(Arena& arena) : arena_(arena) {}

  void push(const T& item) {
    if (size_ == capacity_) grow();
    items_[size_++] = item;
  }
  T pop() { return items_[--size_]; }
  T& operator[](size_t at) { return items_[at]; }
  const T& operator[](size_t at) const { return items_[at]; }
  T& last() { return items_[size_ - 1]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }

 private:
  void grow() {
    capacity_ = capacity_ == 0 ? 8 : 2 * capacity_;
    T* const grown = arena_.array<T>(capacity_);
    if (size_ > 0) std::memcpy(static_cast<void*>(grown), items_, size_ * sizeof(T));
    items_ = grown;
  }

  Arena& arena_;
  T* items_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace loadout
