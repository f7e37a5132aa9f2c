/**
 * Mutations, compiled once, and what they make of a document: what no mutation touches is copied as it stands, and
 * nothing is ever parsed and written anew. It follows src/content/mutation/mutation.ts and splice.ts.
 */
#pragma once

#include "json-patch.h"
#include "merge-patch.h"

namespace loadout {

enum class MutationKind : uint8_t { merge = 0, patch = 1, replace = 2 };

/** Immutable. It owns a copy of the document that states it. */
class Mutation {
 public:
  /** False: it cannot be compiled, and is of no use. */
  bool compile(MutationKind kind, Bytes json, const uint32_t* nodes, size_t nodeCount);

  Value apply(const Value& value, uint64_t bytesMax, Arena& arena, MutationFault& fault) const;
  /** What it holds, in bytes. */
  size_t held() const { return sizeof(Mutation) + arena_.held(); }

 private:
  MutationKind kind_ = MutationKind::replace;
  Arena arena_;
  Document document_{};
  const MergePatch* merge_ = nullptr;
  JsonPatch patch_{};
};

/** Applies mutations in two steps, so that the caller can make a buffer of the right size between them. Kept for its memory. */
class Splicer {
 public:
  /**
   * Applies the mutations in order, each to the result of those before it; `faults` has a place for each. Returns the
   * size of the result. The document and the mutations must stay as they are until `write`.
   */
  uint64_t measure(const Document& document, const Mutation* const* mutations, size_t count, uint64_t bytesMax,
                   MutationFault* faults);

  /** Writes what was measured: exactly that many bytes. */
  void write(uint8_t* out);

 private:
  Arena arena_;
  Document document_{};
  Value value_ = Value::untouched(&document_, 0);
};

}  // namespace loadout
