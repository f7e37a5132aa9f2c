/** A mutation as a rule of a mapping states it, compiled once and applied to any number of documents. */

import type { JsonDocument } from '../json/document.js';
import { compileJsonPatch, type PatchOperation } from './json-patch.js';
import { Untouched } from './json-value.js';
import { levelsOf } from './levels.js';
import { compileMergePatch, type MergePatch } from './merge-patch.js';
import { MutationIssue } from './mutation-issue.js';
import { mutatedLevelsMax } from './splice-limits.js';

export { MutationIssue };

/** RFC 7396, RFC 6902, or a whole new document. */
export type MutationKind = 'merge' | 'patch' | 'replace';

/** Immutable; it refers to the value's document and keeps it alive. */
export type Mutation =
  | { readonly kind: 'merge'; readonly patch: MergePatch }
  | { readonly kind: 'patch'; readonly operations: readonly PatchOperation[] }
  | { readonly kind: 'replace'; readonly value: Untouched };

/** Checks a mutation's shape; whether it can apply is known only with a document. */
export function compileMutation(kind: MutationKind, value: JsonDocument): Mutation | MutationIssue {
  const whole = new Untouched(value, 0);
  if (levelsOf(whole) > mutatedLevelsMax) {
    return new MutationIssue(`a mutation may nest ${mutatedLevelsMax} levels deep`);
  }
  switch (kind) {
    case 'merge':
      return { kind, patch: compileMergePatch(value) };
    case 'patch': {
      const operations = compileJsonPatch(value);
      return operations instanceof MutationIssue ? operations : { kind, operations };
    }
    case 'replace':
      return { kind, value: whole };
  }
}
