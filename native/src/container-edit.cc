#include "container-edit.h"

namespace loadout {

namespace {

constexpr uint32_t whole = 0xffffffff;

}  // namespace

// An edit adds a piece, and cuts a run in two.
ContainerEdit::ContainerEdit(const Opened& container, size_t editsMax, Arena& arena)
    : container_(container),
      arena_(arena),
      pieces_(arena.array<Piece>(container.count + 2 * editsMax)),
      node_(whole) {}

void ContainerEdit::drop(Place place) {
  keepBefore(place);
  skip(place);
}

void ContainerEdit::replace(Place place, Value value) {
  keepBefore(place);
  push(Piece::member(keyAt(container_, place), value));
  skip(place);
}

void ContainerEdit::insertElement(Place place, Value value) {
  keepBefore(place);
  push(Piece::element(value));
}

void ContainerEdit::append(const Piece& member) {
  keepRest();
  push(member);
}

const Opened* ContainerEdit::finish() {
  keepRest();
  return makeOpened(container_.isObject, pieces_, count_, size_, arena_);
}

void ContainerEdit::keepBefore(Place place) {
  while (piece_ < place.piece) keepPiece();
  const Piece& piece = container_.pieces[place.piece];
  if (piece.run == nullptr) return;
  const uint32_t first = node_ == whole ? piece.first : node_;
  if (first < place.node) {
    const uint32_t start = piece.run->start(first);
    const uint32_t stop = piece.run->start(place.node) - 1;
    push(Piece::ofRun(piece.run, first, place.node, {piece.run->bytes + start, stop - start}));
  }
  node_ = place.node;
}

/** The rest of the current piece. */
void ContainerEdit::keepPiece() {
  const Piece& piece = container_.pieces[piece_++];
  if (piece.run == nullptr || node_ == whole) {
    push(piece);
  } else {
    const uint8_t* const start = piece.run->bytes + piece.run->start(node_);
    const uint8_t* const stop = piece.bytes.data + piece.bytes.size;
    push(Piece::ofRun(piece.run, node_, piece.end, {start, static_cast<size_t>(stop - start)}));
  }
  node_ = whole;
}

void ContainerEdit::keepRest() {
  while (piece_ < container_.count) keepPiece();
}

void ContainerEdit::skip(Place place) {
  const Piece& piece = container_.pieces[place.piece];
  if (piece.run != nullptr) {
    node_ = piece.run->next(place.node);
    if (node_ != piece.end) return;
  }
  piece_++;
  node_ = whole;
}

void ContainerEdit::push(const Piece& piece) {
  pieces_[count_++] = piece;
  size_ += piece.size;
}

}  // namespace loadout
