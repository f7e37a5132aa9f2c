/**
 * Applies mutations to a document by splicing bytes: what no mutation touches is copied as it stands, and nothing is
 * ever parsed and serialized again (D7). It rejects what would outgrow its limits, before any of it is written.
 */

import type { JsonDocument } from '../json/document.js';
import { noRoom } from '../json/room.js';
import { applyJsonPatch } from './apply-json-patch.js';
import { type JsonValue, Untouched } from './json-value.js';
import { applyMergePatch } from './merge-patch.js';
import { type Mutation, MutationIssue } from './mutation.js';
import { outgrown } from './splice-limits.js';
import { writeValue } from './write-value.js';

export interface Spliced {
  /** The mutated JSON, minified, in a buffer of its own that may be transferred. */
  readonly bytes: Uint8Array;
  /** One per mutation; where it is not null, that mutation could not apply and left the data as before it. */
  readonly issues: readonly (MutationIssue | null)[];
}

/**
 * Applies the mutations in order, each to the result of those before it.
 * `bytesMax`: a mutation, or an operation of a JSON Patch, that makes a document grow beyond this many bytes is an issue.
 */
export function splice(
  document: JsonDocument,
  mutations: readonly Mutation[],
  bytesMax: number,
): Spliced {
  const { value, issues } = applyMutations(document, mutations, bytesMax);
  return { bytes: writeValue(value, noRoom), issues };
}

/** The same without writing the result: its value, for `writeValue`. */
export function applyMutations(
  document: JsonDocument,
  mutations: readonly Mutation[],
  bytesMax: number,
): { readonly value: JsonValue } & Pick<Spliced, 'issues'> {
  let value: JsonValue = new Untouched(document, 0);
  const issues: (MutationIssue | null)[] = [];
  for (const mutation of mutations) {
    const result = apply(mutation, value, bytesMax);
    if (result instanceof MutationIssue) {
      issues.push(result);
    } else {
      issues.push(null);
      value = result;
    }
  }
  return { value, issues };
}

function apply(mutation: Mutation, value: JsonValue, bytesMax: number): JsonValue | MutationIssue {
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
): JsonValue | MutationIssue {
  const reason = outgrown(before, after, bytesMax);
  return reason === null ? after : new MutationIssue(reason);
}
