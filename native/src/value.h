/**
 * Values under edit, as what they consist of: untouched spans of documents, and containers that were opened.
 *
 *   {"a":1,"b":[1,2],"c":3}   with /b/0 replaced by the value 9 of another document:
 *
 *   Opened { run "a":1 | member "b": Opened [ element 9 | run 2 ] | run "c":3 }
 *
 * Everything is immutable and lives in arenas; see src/content/mutation/json-value.ts, which this follows.
 */
#pragma once

#include "arena.h"
#include "document.h"

namespace loadout {

struct Opened;

struct Value {
  /** Null: it is `opened`. */
  const Document* document;
  union {
    uint32_t node;
    const Opened* opened;
  };

  static Value untouched(const Document* document, uint32_t node) {
    Value value;
    value.document = document;
    value.opened = nullptr;
    value.node = node;
    return value;
  }
  static Value of(const Opened* opened) {
    Value value;
    value.document = nullptr;
    value.opened = opened;
    return value;
  }

  bool isOpened() const { return document == nullptr; }
  bool isSame(const Value& other) const {
    if (document != other.document) return false;
    return isOpened() ? opened == other.opened : node == other.node;
  }
};

/** Neighbouring members or elements of a document's container, untouched; or one with a value of its own. */
struct Piece {
  /** Of a run: its document. Null: it is one member, or an element. */
  const Document* run;
  /** Of a run: all its bytes, the commas between included. Of a member: its key with the colon; of an element: none. */
  Bytes bytes;
  /** Of a run: nodes from `first` (a child) up to, not including, `end`. */
  uint32_t first;
  uint32_t end;
  /** Of a member or an element. */
  Value value;
  uint64_t size;

  static Piece ofRun(const Document* document, uint32_t first, uint32_t end, Bytes bytes) {
    return {document, bytes, first, end, Value::of(nullptr), bytes.size};
  }
  static Piece member(Bytes key, Value value);
  static Piece element(Value value) { return member({}, value); }
};

struct Opened {
  bool isObject;
  /** It belongs to a compiled mutation and outlives every edit. */
  bool isPermanent;
  uint32_t count;
  const Piece* pieces;
  uint64_t size;
  /** Where it was moved to while an arena is being cleared, or null. */
  mutable const Opened* moved;
};

enum class Kind : uint8_t { object = 0, array = 1, string = 2, number = 3, boolean = 4, null = 5 };

Kind kindOf(const Value& value);
uint64_t sizeOf(const Value& value);

/** The container with its parts in reach, or null: the value is a scalar. */
const Opened* openValue(const Value& value, Arena& arena);

/** Of pieces that measure `piecesSize` together. */
const Opened* makeOpened(bool isObject, const Piece* pieces, uint32_t count, uint64_t piecesSize, Arena& arena);

/** 0 for a scalar, 1 for `[]`, 2 for `[[]]`. */
uint32_t levelsOf(const Value& value, Arena& scratch);

/** Writes the value's `sizeOf` bytes; returns the end. */
uint8_t* writeValue(const Value& value, uint8_t* out, Arena& scratch);

/** Copies what edits have made of the value to another arena; what is shared stays shared, by the marks in `moved`. */
Value moveValue(const Value& value, Arena& to);

}  // namespace loadout
