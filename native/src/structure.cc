#include "structure.h"

#include "scalar.h"

namespace loadout {

bool Structure::begin(const uint8_t* json, uint32_t levelsMax, bool indexed) {
  json_ = json;
  levelsMax_ = levelsMax;
  indexed_ = indexed;
  count_ = 0;
  nodeCount_ = 0;
  level_ = 0;
  start_ = 0;
  keyStart_ = noKey;
  state_ = State::root;
  outOfMemory_ = !places_.reserve(placesFull + roomMin);
  return !outOfMemory_;
}

/** The last place stays: it may be a comma that turns out to be a trailing one. */
bool Structure::flush() {
  const size_t checked = count_ - 1;
  const uint32_t last = places_.data()[checked];
  if (!check(checked, last)) return false;
  places_.data()[0] = last;
  count_ = 1;
  return true;
}

bool Structure::check(size_t count, size_t size) {
  // A place ends at most one value.
  if (indexed_ && !nodes_.reserve((nodeCount_ + count + 1) * nodeWords)) {
    outOfMemory_ = true;
    return false;
  }
  return indexed_ ? walk<true>(count, size) : walk<false>(count, size);
}

bool Structure::finish(size_t size) {
  if (!check(count_, size)) return false;
  if (state_ == State::ended) return start_ == size;
  if (state_ != State::root || size == 0) return false;
  // A scalar is all there is.
  if (json_[0] != '"' && !isScalar(json_, 0, size, size)) return false;
  if (indexed_) {
    const uint32_t node[nodeWords] = {noKey, 0, static_cast<uint32_t>(size), 1};
    std::memcpy(nodes_.data(), node, sizeof node);
  }
  nodeCount_ = 1;
  return true;
}

/**
 * Judges the first `count` places; `size` is how much of the text may be read. The state is where the code is: every
 * label has branches of its own, which a processor learns far better than one switch for all.
 */
template <bool indexed>
bool Structure::walk(size_t count, size_t size) {
  const uint8_t* const json = json_;
  const uint32_t* place = places_.data();
  const uint32_t* const end = place + count;
  uint32_t* node = nodes_.data() + nodeCount_ * nodeWords;
  uint32_t nodeCount = static_cast<uint32_t>(nodeCount_);
  uint32_t start = start_;
  uint32_t keyStart = keyStart_;
  State state = state_;
  uint32_t at = 0;
  uint8_t byte = 0;

  const auto isAtEnd = [&](State here) {
    if (place == end) {
      state = here;
      return true;
    }
    at = *place++;
    byte = json[at];
    return false;
  };
  const auto add = [&](uint32_t valueEnd) {
    nodeCount++;
    if constexpr (indexed) {
      node[0] = keyStart;
      node[1] = start;
      node[2] = valueEnd;
      node[3] = nodeCount;
      node += nodeWords;
    }
  };
  const auto isValue = [&] {
    add(at);
    return json[start] == '"' || (start < at && isScalar(json, start, at, size));
  };

  switch (state) {
    case State::root: goto root;
    case State::firstKey: goto firstKey;
    case State::key: goto key;
    case State::memberValue: goto memberValue;
    case State::afterMember: goto afterMember;
    case State::firstElement: goto firstElement;
    case State::element: goto element;
    case State::afterElement: goto afterElement;
    case State::ended: goto ended;
  }

root:
  if (isAtEnd(State::root)) goto save;
  if (byte == '{' || byte == '[') goto open;
  return false;

firstKey:
  if (isAtEnd(State::firstKey)) goto save;
  if (byte == '}' && start == at) goto close;
  goto colon;

key:
  if (isAtEnd(State::key)) goto save;
colon:
  if (byte != ':' || json[start] != '"') return false;
  keyStart = start;
  start = at + 1;

memberValue:
  if (isAtEnd(State::memberValue)) goto save;
  if (byte == ',') {
    if (!isValue()) return false;
    start = at + 1;
    goto key;
  }
  if (byte == '}') {
    if (!isValue()) return false;
    goto close;
  }
  if (byte == '{' || byte == '[') goto open;
  return false;

firstElement:
  if (isAtEnd(State::firstElement)) goto save;
  if (byte == ']' && start == at) goto close;
  goto value;

element:
  if (isAtEnd(State::element)) goto save;
value:
  if (byte == ',') {
    if (!isValue()) return false;
    start = at + 1;
    goto element;
  }
  if (byte == ']') {
    if (!isValue()) return false;
    goto close;
  }
  if (byte == '{' || byte == '[') goto open;
  return false;

open:
  if (start != at || !opened(nodeCount, byte == '{')) return false;
  add(0);
  keyStart = noKey;
  start = at + 1;
  if (byte == '{') goto firstKey;
  goto firstElement;

close:
  level_--;
  if constexpr (indexed) {
    uint32_t* const closed = nodes_.data() + size_t{open_.data()[level_].node} * nodeWords;
    closed[2] = at + 1;
    closed[3] = nodeCount;
  }
  keyStart = noKey;
  start = at + 1;
  if (level_ == 0) goto ended;
  if (open_.data()[level_ - 1].isObject) goto afterMember;
  goto afterElement;

afterMember:
  if (isAtEnd(State::afterMember)) goto save;
  if (start != at) return false;
  start = at + 1;
  if (byte == ',') goto key;
  if (byte == '}') goto close;
  return false;

afterElement:
  if (isAtEnd(State::afterElement)) goto save;
  if (start != at) return false;
  start = at + 1;
  if (byte == ',') goto element;
  if (byte == ']') goto close;
  return false;

ended:
  if (!isAtEnd(State::ended)) return false;

save:
  nodeCount_ = nodeCount;
  start_ = start;
  keyStart_ = keyStart;
  state_ = state;
  return true;
}

bool Structure::opened(uint32_t node, bool isObject) {
  if (level_ == levelsMax_) return false;
  if (level_ == open_.capacity() && !open_.reserve(level_ + 1)) {
    outOfMemory_ = true;
    return false;
  }
  open_.data()[level_++] = {node, isObject};
  return true;
}

void Structure::trim(size_t bytesKept) {
  nodes_.trim(bytesKept / sizeof(uint32_t));
  open_.trim(bytesKept / sizeof(Open));
}

}  // namespace loadout
