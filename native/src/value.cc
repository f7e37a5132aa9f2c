#include "value.h"

namespace loadout {

namespace {

/** The levels of the deepest of some siblings: nodes from `first` to before `end`. */
uint32_t levelsBetween(const Document& document, uint32_t first, uint32_t end, Arena& scratch) {
  ArenaList<uint32_t> openEnds(scratch);
  size_t deepest = 0;
  for (uint32_t node = first; node < end; node++) {
    while (!openEnds.empty() && node >= openEnds.last()) openEnds.pop();
    const uint8_t byte = document.firstByte(node);
    if (byte != '{' && byte != '[') continue;
    openEnds.push(document.next(node));
    if (openEnds.size() > deepest) deepest = openEnds.size();
  }
  return static_cast<uint32_t>(deepest);
}

uint8_t* write(Bytes bytes, uint8_t* out) {
  if (bytes.size > 0) std::memcpy(out, bytes.data, bytes.size);
  return out + bytes.size;
}

}  // namespace

Piece Piece::member(Bytes key, Value value) { return {nullptr, key, 0, 0, value, key.size + sizeOf(value)}; }

Kind kindOf(const Value& value) {
  if (value.isOpened()) return value.opened->isObject ? Kind::object : Kind::array;
  switch (value.document->firstByte(value.node)) {
    case '{': return Kind::object;
    case '[': return Kind::array;
    case '"': return Kind::string;
    case 't': case 'f': return Kind::boolean;
    case 'n': return Kind::null;
    default: return Kind::number;
  }
}

uint64_t sizeOf(const Value& value) {
  return value.isOpened() ? value.opened->size : value.document->value(value.node).size;
}

const Opened* openValue(const Value& value, Arena& arena) {
  if (value.isOpened()) return value.opened;
  const Document& document = *value.document;
  const Kind kind = kindOf(value);
  if (kind != Kind::object && kind != Kind::array) return nullptr;
  const uint32_t first = value.node + 1;
  const uint32_t end = document.next(value.node);
  if (end == first) return makeOpened(kind == Kind::object, nullptr, 0, 0, arena);
  const Bytes whole = document.value(value.node);
  const Piece* const run = arena.one(Piece::ofRun(&document, first, end, {whole.data + 1, whole.size - 2}));
  return makeOpened(kind == Kind::object, run, 1, run->size, arena);
}

const Opened* makeOpened(bool isObject, const Piece* pieces, uint32_t count, uint64_t piecesSize, Arena& arena) {
  const uint64_t commas = count > 1 ? count - 1 : 0;
  return arena.one(Opened{isObject, false, count, pieces, 2 + piecesSize + commas, nullptr});
}

uint32_t levelsOf(const Value& value, Arena& scratch) {
  struct Due {
    Value value;
    uint32_t above;
  };
  uint32_t deepest = 0;
  const auto reach = [&](uint32_t levels) { deepest = levels > deepest ? levels : deepest; };
  ArenaList<Due> due(scratch);
  due.push({value, 0});
  while (!due.empty()) {
    const Due current = due.pop();
    if (!current.value.isOpened()) {
      const Document& document = *current.value.document;
      const uint32_t node = current.value.node;
      reach(current.above + levelsBetween(document, node, document.next(node), scratch));
      continue;
    }
    const uint32_t here = current.above + 1;
    reach(here);
    const Opened& opened = *current.value.opened;
    for (uint32_t i = 0; i < opened.count; i++) {
      const Piece& piece = opened.pieces[i];
      if (piece.run == nullptr) {
        due.push({piece.value, here});
      } else {
        reach(here + levelsBetween(*piece.run, piece.first, piece.end, scratch));
      }
    }
  }
  return deepest;
}

uint8_t* writeValue(const Value& value, uint8_t* out, Arena& scratch) {
  struct Container {
    const Opened* opened;
    uint32_t next;
  };
  // No recursion: depth is data.
  ArenaList<Container> containers(scratch);
  const auto begin = [&](const Value& begun) {
    if (!begun.isOpened()) {
      out = write(begun.document->value(begun.node), out);
      return;
    }
    *out++ = begun.opened->isObject ? '{' : '[';
    containers.push({begun.opened, 0});
  };
  begin(value);
  while (!containers.empty()) {
    Container& top = containers.last();
    const Opened& opened = *top.opened;
    if (top.next == opened.count) {
      *out++ = opened.isObject ? '}' : ']';
      containers.pop();
      continue;
    }
    if (top.next > 0) *out++ = ',';
    const Piece& piece = opened.pieces[top.next++];
    out = write(piece.bytes, out);
    if (piece.run == nullptr) begin(piece.value);
  }
  return out;
}

Value moveValue(const Value& value, Arena& to) {
  ArenaList<Piece*> due(to);
  const auto moved = [&](const Value& old) {
    if (!old.isOpened() || old.opened->isPermanent) return old;
    const Opened& opened = *old.opened;
    if (opened.moved == nullptr) {
      Piece* const pieces = to.array<Piece>(opened.count);
      if (opened.count > 0) std::memcpy(static_cast<void*>(pieces), opened.pieces, opened.count * sizeof(Piece));
      Opened* const copy = to.one(opened);
      copy->pieces = pieces;
      opened.moved = copy;
      for (uint32_t i = 0; i < opened.count; i++) {
        if (pieces[i].run == nullptr && pieces[i].value.isOpened()) due.push(&pieces[i]);
      }
    }
    return Value::of(opened.moved);
  };
  const Value root = moved(value);
  while (!due.empty()) {
    Piece* const piece = due.pop();
    piece->value = moved(piece->value);
  }
  return root;
}

}  // namespace loadout
