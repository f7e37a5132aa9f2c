/** The children of a container under edit: walking, finding and naming them. */
#pragma once

#include "member-key.h"
#include "value.h"

namespace loadout {

/** Where a child is: in which piece, and in a run at which node. */
struct Place {
  uint32_t piece;
  uint32_t node;
};

/** In order. Siblings are reached by `next`: what is below them costs nothing. */
class ChildCursor {
 public:
  explicit ChildCursor(const Opened& container) : container_(container) { enter(); }

  bool atEnd() const { return place_.piece == container_.count; }
  Place place() const { return place_; }

  /** From the opening quote to the colon; of an object's member only. */
  Bytes key() const { return piece().run == nullptr ? piece().bytes : piece().run->key(place_.node); }

  Value value() const {
    return piece().run == nullptr ? piece().value : Value::untouched(piece().run, place_.node);
  }

  void advance() {
    if (piece().run != nullptr) {
      place_.node = piece().run->next(place_.node);
      if (place_.node < piece().end) return;
    }
    place_.piece++;
    enter();
  }

 private:
  const Piece& piece() const { return container_.pieces[place_.piece]; }
  void enter() {
    if (!atEnd()) place_.node = piece().first;
  }

  const Opened& container_;
  Place place_{0, 0};
};

inline Value valueAt(const Opened& container, Place place) {
  const Piece& piece = container.pieces[place.piece];
  return piece.run == nullptr ? piece.value : Value::untouched(piece.run, place.node);
}

/** The key at a place, as it is written; nothing in an array. */
inline Bytes keyAt(const Opened& container, Place place) {
  const Piece& piece = container.pieces[place.piece];
  return piece.run == nullptr ? piece.bytes : piece.run->key(place.node);
}

/** The member of that key, of a repeated one the last. False: there is none. */
bool findMember(const Opened& object, const MemberKey& key, Place& found, Arena& scratch);

/** The element of that index. False: `count` is how many there are. */
bool findElement(const Opened& array, uint64_t index, Place& found, uint64_t& count);

}  // namespace loadout
