/**
 * Applies mutations to a document by splicing bytes: what no mutation touches is copied as it stands, and nothing is
 * ever parsed and written anew (D7). It refuses what would outgrow its limits, before any of it is written.
 */

import type { JsonDocument } from '../json/document.js';
import { noRoom } from '../json/room.js';
import { applyJsonPatch } from './apply-json-patch.js';
import { type JsonValue, Untouched } from './json-value.js';
import { applyMergePatch } from './merge-patch.js';
import { type Mutation, MutationFault } from './mutation.js';
import { outgrown } from './splice-limits.js';
import { writeValue } from './write-value.js';

export interface Spliced {
  /** The mutated JSON, minified, in a buffer of its own that may be transferred. */
  readonly bytes: Uint8Array;
  /** One per mutation; where it is not null, that mutation could not apply and left the data as before it. */
  readonly faults: readonly (MutationFault | null)[];
}

/**
 * Applies the mutations in order, each to the result of those before it.
 * `bytesMax`: a mutation, or an operation of a JSON Patch, that makes a document grow beyond this many bytes is a fault.
 */
export function splice(
  document: JsonDocument,
  mutations: readonly Mutation[],
  bytesMax: number,
): Spliced {
  const { value, faults } = applyMutations(document, mutations, bytesMax);
  return { bytes: writeValue(value, noRoom), faults };
}

/** The same without writing the result: its value, for `writeValue`. */
export function applyMutations(
  document: JsonDocument,
  mutations: readonly Mutation[],
  bytesMax: number,
): { readonly value: JsonValue } & Pick<Spliced, 'faults'> {
  let value: JsonValue = new Untouched(document, 0);
  const faults: (MutationFault | null)[] = [];
  for (const mutation of mutations) {
    const result = apply(mutation, value, bytesMax);
    if (result instanceof MutationFault) {
      faults.push(result);
    } else {
      faults.push(null);
      value = result;
    }
  }
  return { value, faults };
}

function apply(mutation: Mutation, value: JsonValue, bytesMax: number): JsonValue | MutationFault {
  switch (mutation.kind) {
    case 'merge':
      return unlessOutgrown(value, applyMergePatch(value, mutation.patch), bytesMax);
    case 'patch':
      return applyJsonPatch(value, mutation.operations, bytesMax);
    case 'replace':
      return unlessOutgrown(value, mutation.value, bytesMax);
  }
}

function unlessOutgrown(
  before: JsonValue,
  after: JsonValue,
  bytesMax: number,
): JsonValue | MutationFault {
  const reason = outgrown(before, after, bytesMax);
  return reason === null ? after : new MutationFault(reason);
}
