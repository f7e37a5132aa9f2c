/** Reads what a rule or a variant does to the content: at most one of `merge`, `patch` and `replace`. */

import { digestOf } from '../hash.js';
import { indexDocument } from '../json/document.js';
import { compileMutation, type MutationKind } from '../mutation/mutation.js';
import { MutationIssue } from '../mutation/mutation-issue.js';
import type { MappingObject, MappingValue } from './mapping-object.js';
import type { MutationSource } from './rule.js';

const kinds: readonly MutationKind[] = ['merge', 'patch', 'replace'];

/** Null when the object mutates nothing, or (with an issue) when it cannot. */
export function readMutation(owner: MappingObject): MutationSource | null {
  const found: [MutationKind, MappingValue][] = [];
  for (const kind of kinds) {
    const value = owner.member(kind);
    if (value !== null) found.push([kind, value]);
  }
  const [first, second] = found;
  if (first === undefined) return null;
  if (second !== undefined) {
    second[1].reject(`stands beside ${first[0]}; use at most one of ${kinds.join(', ')}`);
    return null;
  }
  return sourceOf(...first);
}

function sourceOf(kind: MutationKind, value: MappingValue): MutationSource | null {
  const { bytes } = value;
  const document = indexDocument(bytes);
  const mutation = compileMutation(kind, document);
  if (mutation instanceof MutationIssue) {
    value.reject(mutation.message, mutation.operation < 0 ? '' : `[${mutation.operation}]`);
    return null;
  }
  return { kind, document, digest: digestOf(Buffer.concat([Buffer.from(`${kind}:`), bytes])) };
}
