/** Builds the next state of a container: what is not named is kept as it is, in runs. */
#pragma once

#include "children.h"

namespace loadout {

/** Places must be given in document order. What an edit costs depends on the pieces, not on the members in them. */
class ContainerEdit {
 public:
  /** `editsMax`: how many calls of `drop`, `replace`, `insertElement` and `append` may follow. */
  ContainerEdit(const Opened& container, size_t editsMax, Arena& arena);

  void drop(Place place);
  /** The child keeps its place and its key's bytes. */
  void replace(Place place, Value value);
  void insertElement(Place place, Value value);
  /** After all the rest; nothing but `append` and `finish` may follow. */
  void append(const Piece& member);
  const Opened* finish();

 private:
  void keepBefore(Place place);
  void keepPiece();
  void keepRest();
  void skip(Place place);
  void push(const Piece& piece);

  const Opened& container_;
  Arena& arena_;
  Piece* pieces_;
  uint32_t count_ = 0;
  uint64_t size_ = 0;
  /** What comes next of the old container: its piece, and the node in that if it is a run cut open, else `whole`. */
  uint32_t piece_ = 0;
  uint32_t node_;
};

}  // namespace loadout
