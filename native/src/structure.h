/**
 * The grammar of JSON and its structural index, from the places of the structural characters alone.
 *
 * The scanner of the text hands over, in order, the offset of every { } [ ] : , outside strings. Between two of them
 * stands nothing or one token: the scanner has seen to it that no second one follows, that strings are closed and that
 * their contents are in order. What remains to be checked is done here: what may follow what, scalars, and levels.
 *
 * The index has the layout of src/content/json/document.ts: four words per value (keyStart, valueStart, valueEnd, next).
 */
#pragma once

#include "bytes.h"

namespace loadout {

constexpr size_t nodeWords = 4;
constexpr uint32_t noKey = 0xffffffff;

class Structure {
 public:
  /** A scanner writes at most this many places before it calls `flush` again. */
  static constexpr size_t roomMin = 64;

  /**
   * `json` is where the minified text stands or comes to stand; all before a place handed over is there already.
   * `levelsMax`: how deep objects and arrays may nest.
   */
  bool begin(const uint8_t* json, uint32_t levelsMax, bool indexed);

  /** Where the next places go: up to `roomMin` of them. */
  uint32_t* places() { return places_.data() + count_; }

  /** Says that `count` places were written. False: the text is no JSON, or there is no memory (see `outOfMemory`). */
  bool added(size_t count) {
    count_ += count;
    return count_ < placesFull || flush();
  }

  /** Takes back the last place, which is the comma at `at`. */
  void takeBack() { count_--; }

  /** The text ends at `size`. */
  bool finish(size_t size);

  bool outOfMemory() const { return outOfMemory_; }
  const uint32_t* nodes() const { return nodes_.data(); }
  size_t nodeCount() const { return nodeCount_; }
  /** Gives back what a large text has grown. */
  void trim(size_t bytesKept);

 private:
  /** Where in the grammar the next structural character stands. */
  enum class State : uint8_t {
    root,
    firstKey,
    key,
    memberValue,
    afterMember,
    firstElement,
    element,
    afterElement,
    ended,
  };
  struct Open {
    uint32_t node;
    bool isObject;
  };

  static constexpr size_t placesFull = 4096;

  bool flush();
  bool check(size_t count, size_t size);
  template <bool indexed>
  bool walk(size_t count, size_t size);
  bool opened(uint32_t node, bool isObject);

  const uint8_t* json_ = nullptr;
  Grown<uint32_t> places_;
  size_t count_ = 0;
  Grown<uint32_t> nodes_;
  size_t nodeCount_ = 0;
  Grown<Open> open_;
  size_t level_ = 0;
  uint32_t levelsMax_ = 0;
  /** The offset after the last structural character. */
  uint32_t start_ = 0;
  uint32_t keyStart_ = noKey;
  State state_ = State::root;
  bool indexed_ = false;
  bool outOfMemory_ = false;
};

}  // namespace loadout
