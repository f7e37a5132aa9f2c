/** What the operations of a JSON Patch make of a value. */

#include "clearing.h"
#include "container-edit.h"
#include "json-equal.h"
#include "json-patch.h"

namespace loadout {

namespace {

/** The way from the root down to a value: the containers passed, and the place of the next step in each. */
struct Trail {
  struct Step {
    const Opened* container;
    Place place;
  };

  explicit Trail(Arena& arena) : steps(arena) {}

  ArenaList<Step> steps;
  Value value = Value::of(nullptr);
};

class Application {
 public:
  Application(uint64_t bytesMax, Arena& arena) : bytesMax_(bytesMax), arena_(arena) {}

  /** `value` becomes what it is after the operation. False: it does not apply. */
  bool apply(const PatchOperation& operation, Value& value) {
    const Value before = value;
    return applyUnbounded(operation, value) && !hasOutgrown(before, value, bytesMax_);
  }

 private:
  bool applyUnbounded(const PatchOperation& operation, Value& value) {
    const JsonPointer& path = operation.path;
    switch (operation.op) {
      case Op::add:
        return add(operation, value, operation.value, operation.levels);
      case Op::replace:
        return replace(path, value, operation.value, operation.levels);
      case Op::remove:
        return remove(path, value);
      case Op::test: {
        Trail trail(arena_);
        return follow(value, path, path.count, trail) && jsonEqual(trail.value, operation.value, arena_);
      }
      case Op::copy:
      case Op::move: {
        Trail trail(arena_);
        if (!follow(value, operation.from, operation.from.count, trail)) return false;
        if (operation.op == Op::move) {
          if (operation.from.text.equals(path.text)) return true;
          if (!remove(operation.from, value)) return false;
        }
        return add(operation, value, trail.value, levelsOf(trail.value, arena_));
      }
    }
    return false;
  }

  bool add(const PatchOperation& operation, Value& root, const Value& value, uint32_t levels) {
    const JsonPointer& path = operation.path;
    if (path.count == 0) {
      root = value;
      return true;
    }
    if (uint64_t{path.count} + levels > mutatedLevelsMax) return false;
    Trail trail(arena_);
    if (!follow(root, path, path.count - 1, trail)) return false;
    const Opened* const container = openValue(trail.value, arena_);
    const Opened* const edited = container == nullptr ? nullptr : addChild(*container, operation, value);
    if (edited == nullptr) return false;
    root = rebuild(trail, Value::of(edited));
    return true;
  }

  /** The container with one more child (or another value under a key it has), or null: no place for it. */
  const Opened* addChild(const Opened& container, const PatchOperation& operation, const Value& value) {
    ContainerEdit edit(container, 1, arena_);
    const PointerToken& token = operation.path.last();
    Place place;
    if (container.isObject) {
      if (findMember(container, token.key, place, arena_)) {
        edit.replace(place, value);
      } else {
        edit.append(Piece::member(operation.written, value));
      }
      return edit.finish();
    }
    if (token.index == PointerToken::notAnIndex) return nullptr;
    if (token.index == PointerToken::arrayEnd) {
      edit.append(Piece::element(value));
      return edit.finish();
    }
    uint64_t count;
    const uint64_t index = static_cast<uint64_t>(token.index);
    if (findElement(container, index, place, count)) {
      edit.insertElement(place, value);
    } else if (count == index) {
      edit.append(Piece::element(value));
    } else {
      return nullptr;
    }
    return edit.finish();
  }

  bool replace(const JsonPointer& path, Value& root, const Value& value, uint32_t levels) {
    Trail trail(arena_);
    if (!follow(root, path, path.count, trail)) return false;
    if (uint64_t{path.count} + levels > mutatedLevelsMax) return false;
    root = rebuild(trail, value);
    return true;
  }

  /** `pointer` is not the root's: the compiler refuses that, and a move of the root to itself never comes here. */
  bool remove(const JsonPointer& pointer, Value& root) {
    Trail trail(arena_);
    if (!follow(root, pointer, pointer.count - 1, trail)) return false;
    const Opened* const container = openValue(trail.value, arena_);
    const Opened* const edited = container == nullptr ? nullptr : removeChild(*container, pointer.last());
    if (edited == nullptr) return false;
    root = rebuild(trail, Value::of(edited));
    return true;
  }

  const Opened* removeChild(const Opened& container, const PointerToken& token) {
    ArenaList<Place> places(arena_);
    if (container.isObject) {
      for (ChildCursor cursor(container); !cursor.atEnd(); cursor.advance()) {
        if (token.key.matches(cursor.key(), arena_)) places.push(cursor.place());
      }
    } else {
      Place place;
      if (findChild(container, token, place)) places.push(place);
    }
    if (places.empty()) return nullptr;
    ContainerEdit edit(container, places.size(), arena_);
    for (const Place place : places) edit.drop(place);
    return edit.finish();
  }

  bool findChild(const Opened& container, const PointerToken& token, Place& place) {
    if (container.isObject) return findMember(container, token.key, place, arena_);
    uint64_t count;
    return token.index >= 0 && findElement(container, static_cast<uint64_t>(token.index), place, count);
  }

  /** Follows the first `depth` tokens. False: they lead nowhere. */
  bool follow(const Value& root, const JsonPointer& pointer, uint32_t depth, Trail& trail) {
    trail.value = root;
    for (uint32_t i = 0; i < depth; i++) {
      const Opened* const container = openValue(trail.value, arena_);
      Place place;
      if (container == nullptr || !findChild(*container, pointer.tokens[i], place)) return false;
      trail.steps.push({container, place});
      trail.value = valueAt(*container, place);
    }
    return true;
  }

  /** The root with another value at the trail's end. */
  Value rebuild(Trail& trail, const Value& value) {
    Value rebuilt = value;
    for (size_t i = trail.steps.size(); i-- > 0;) {
      ContainerEdit edit(*trail.steps[i].container, 1, arena_);
      edit.replace(trail.steps[i].place, rebuilt);
      rebuilt = Value::of(edit.finish());
    }
    return rebuilt;
  }

  const uint64_t bytesMax_;
  Arena& arena_;
};

}  // namespace

Value applyJsonPatch(const Value& root, const JsonPatch& patch, uint64_t bytesMax, Arena& arena, MutationFault& fault) {
  Application application(bytesMax, arena);
  Value roots[] = {root, root};
  auto& [before, value] = roots;
  Clearing clearing(arena);
  for (uint32_t i = 0; i < patch.count; i++) {
    if (!application.apply(patch.operations[i], value)) {
      fault = {true, i};
      return before;
    }
    clearing.clear(roots, 2);
  }
  return value;
}

}  // namespace loadout
