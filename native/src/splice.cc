#include "splice.h"

#include "clearing.h"

namespace loadout {

bool Mutation::compile(MutationKind kind, Bytes json, const uint32_t* nodes, size_t nodeCount) {
  const Bytes index{reinterpret_cast<const uint8_t*>(nodes), nodeCount * nodeWords * sizeof(uint32_t)};
  kind_ = kind;
  document_.bytes = arena_.copy(json).data;
  document_.nodes = reinterpret_cast<const uint32_t*>(arena_.copy(index).data);
  const Value whole = Value::untouched(&document_, 0);
  if (levelsOf(whole, arena_) > mutatedLevelsMax) return false;
  switch (kind) {
    case MutationKind::merge:
      merge_ = compileMergePatch(whole, arena_);
      return true;
    case MutationKind::patch:
      return compileJsonPatch(whole, patch_, arena_);
    case MutationKind::replace:
      return true;
  }
  return false;
}

Value Mutation::apply(const Value& value, uint64_t bytesMax, Arena& arena, MutationFault& fault) const {
  if (kind_ == MutationKind::patch) return applyJsonPatch(value, patch_, bytesMax, arena, fault);
  const Value after =
      kind_ == MutationKind::merge ? applyMergePatch(value, *merge_, arena) : Value::untouched(&document_, 0);
  if (!hasOutgrown(value, after, bytesMax)) return after;
  fault.isMissed = true;
  return value;
}

uint64_t Splicer::measure(const Document& document, const Mutation* const* mutations, size_t count,
                          uint64_t bytesMax, MutationFault* faults) {
  arena_.reset();
  document_ = document;
  value_ = Value::untouched(&document_, 0);
  Clearing clearing(arena_);
  for (size_t i = 0; i < count; i++) {
    faults[i] = {};
    value_ = mutations[i]->apply(value_, bytesMax, arena_, faults[i]);
    clearing.clear(&value_, 1);
  }
  return sizeOf(value_);
}

void Splicer::write(uint8_t* out) {
  const uint64_t size = sizeOf(value_);
  const uint8_t* const end = writeValue(value_, out, arena_);
  insist(static_cast<uint64_t>(end - out) == size, "a value measures what its parts say");
}

}  // namespace loadout
