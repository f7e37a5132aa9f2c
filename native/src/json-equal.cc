#include "json-equal.h"

#include <algorithm>

#include "children.h"
#include "decimal.h"
#include "json-text.h"

namespace loadout {

namespace {

struct Pair {
  Value one;
  Value other;
};

struct NamedValue {
  Bytes text;
  Value value;
  uint32_t order;
};

Bytes bytesOf(const Value& value) { return value.document->value(value.node); }

bool sameScalar(Kind kind, const Value& a, const Value& b, Arena& scratch) {
  if (kind == Kind::number) return sameNumber(bytesOf(a), bytesOf(b), scratch);
  return kind == Kind::string && textOf(bytesOf(a), scratch).equals(textOf(bytesOf(b), scratch));
}

int compare(Bytes a, Bytes b) {
  const size_t shorter = a.size < b.size ? a.size : b.size;
  const int order = shorter == 0 ? 0 : std::memcmp(a.data, b.data, shorter);
  if (order != 0) return order;
  return a.size == b.size ? 0 : a.size < b.size ? -1 : 1;
}

/** The object's members by their text, of a repeated one the last. */
ArenaList<NamedValue> membersOf(const Opened& object, Arena& scratch) {
  ArenaList<NamedValue> all(scratch);
  for (ChildCursor cursor(object); !cursor.atEnd(); cursor.advance()) {
    const Bytes written = cursor.key();
    const Bytes text = textOf({written.data, written.size - 1}, scratch);
    all.push({text, cursor.value(), static_cast<uint32_t>(all.size())});
  }
  std::sort(all.begin(), all.end(), [](const NamedValue& a, const NamedValue& b) {
    const int order = compare(a.text, b.text);
    return order != 0 ? order < 0 : a.order < b.order;
  });
  ArenaList<NamedValue> members(scratch);
  for (const NamedValue& member : all) {
    if (!members.empty() && members.last().text.equals(member.text)) {
      members.last() = member;
    } else {
      members.push(member);
    }
  }
  return members;
}

/** Puts members of the same key side by side to be compared; false: there is one without a counterpart. */
bool pairMembers(const Opened& a, const Opened& b, ArenaList<Pair>& pairs, Arena& scratch) {
  const ArenaList<NamedValue> membersOfA = membersOf(a, scratch);
  const ArenaList<NamedValue> membersOfB = membersOf(b, scratch);
  if (membersOfA.size() != membersOfB.size()) return false;
  for (size_t i = 0; i < membersOfA.size(); i++) {
    if (!membersOfA[i].text.equals(membersOfB[i].text)) return false;
    pairs.push({membersOfA[i].value, membersOfB[i].value});
  }
  return true;
}

bool pairElements(const Opened& a, const Opened& b, ArenaList<Pair>& pairs) {
  ChildCursor cursorB(b);
  for (ChildCursor cursorA(a); !cursorA.atEnd(); cursorA.advance()) {
    if (cursorB.atEnd()) return false;
    pairs.push({cursorA.value(), cursorB.value()});
    cursorB.advance();
  }
  return cursorB.atEnd();
}

}  // namespace

bool jsonEqual(const Value& one, const Value& other, Arena& scratch) {
  ArenaList<Pair> pairs(scratch);
  pairs.push({one, other});
  while (!pairs.empty()) {
    const auto [a, b] = pairs.pop();
    // The usual case, decided without a look inside; different bytes decide nothing.
    if (a.isSame(b) || (!a.isOpened() && !b.isOpened() && bytesOf(a).equals(bytesOf(b)))) continue;
    const Kind kind = kindOf(a);
    if (kind != kindOf(b)) return false;
    const Opened* const openA = openValue(a, scratch);
    const Opened* const openB = openValue(b, scratch);
    if (openA == nullptr) {
      if (!sameScalar(kind, a, b, scratch)) return false;
    } else if (openA->isObject) {
      if (!pairMembers(*openA, *openB, pairs, scratch)) return false;
    } else if (!pairElements(*openA, *openB, pairs)) {
      return false;
    }
  }
  return true;
}

}  // namespace loadout
