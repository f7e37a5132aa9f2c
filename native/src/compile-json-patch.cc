/** The operations of a JSON Patch, from the document that states them. */

#include "json-patch.h"

namespace loadout {

namespace {

struct OpName {
  const char* name;
  Op op;
};

constexpr OpName opNames[] = {
    {"add", Op::add},       {"replace", Op::replace}, {"test", Op::test},
    {"remove", Op::remove}, {"move", Op::move},       {"copy", Op::copy},
};

Bytes bytesOf(const char* text) { return {reinterpret_cast<const uint8_t*>(text), std::strlen(text)}; }

/** The value under a key. */
bool member(const Opened& object, const char* key, Value& value, Arena& arena) {
  Place place;
  if (!findMember(object, {bytesOf(key)}, place, arena)) return false;
  value = valueAt(object, place);
  return true;
}

/** The string under a key, unescaped. */
bool textMember(const Opened& object, const char* key, Bytes& text, Arena& arena) {
  Value value;
  if (!member(object, key, value, arena) || kindOf(value) != Kind::string) return false;
  text = textOf(value.document->value(value.node), arena);
  return true;
}

bool pointerMember(const Opened& object, const char* key, JsonPointer& pointer, Arena& arena) {
  Bytes text;
  return textMember(object, key, text, arena) && parsePointer(text, pointer, arena);
}

bool opMember(const Opened& object, Op& op, Arena& arena) {
  Bytes text;
  if (!textMember(object, "op", text, arena)) return false;
  for (const OpName& known : opNames) {
    if (!text.equals(bytesOf(known.name))) continue;
    op = known.op;
    return true;
  }
  return false;
}

bool compileOperation(const Value& value, PatchOperation& operation, Arena& arena) {
  if (kindOf(value) != Kind::object) return false;
  const Opened& object = *openValue(value, arena);
  if (!opMember(object, operation.op, arena)) return false;
  if (!pointerMember(object, "path", operation.path, arena)) return false;
  if (operation.path.count > 0) operation.written = writtenKey(operation.path.last().key.text, arena);
  switch (operation.op) {
    case Op::add:
    case Op::replace:
    case Op::test:
      if (!member(object, "value", operation.value, arena)) return false;
      operation.levels = levelsOf(operation.value, arena);
      return true;
    case Op::remove:
      return operation.path.count > 0;
    case Op::move:
    case Op::copy:
      if (!pointerMember(object, "from", operation.from, arena)) return false;
      return operation.op == Op::copy || !operation.from.contains(operation.path);
  }
  return false;
}

}  // namespace

bool compileJsonPatch(const Value& value, JsonPatch& patch, Arena& arena) {
  if (kindOf(value) != Kind::array) return false;
  ArenaList<PatchOperation> operations(arena);
  const Opened& list = *openValue(value, arena);
  for (ChildCursor cursor(list); !cursor.atEnd(); cursor.advance()) {
    PatchOperation operation{Op::add, {}, {}, {}, Value::of(nullptr), 0};
    if (!compileOperation(cursor.value(), operation, arena)) return false;
    operations.push(operation);
  }
  patch = {operations.begin(), static_cast<uint32_t>(operations.size())};
  return true;
}

}  // namespace loadout
