/** What another mutation means for each app version line, beside the one that it was made on. Pure; works in a browser. */
import { changesBetween } from './changes.js';
import { operationOf } from './derive-mutation.js';
import { applyPlain, NotApplicable, type PlainMutation } from './plain-mutation.js';
import { type PlainValue, printPlain } from './plain-value.js';

export type LineEffect =
  /** It changes the same places to the same values there. */
  | { readonly kind: 'same' }
  | { readonly kind: 'different' }
  /** It does not apply: players of the line get the text without it. */
  | { readonly kind: 'missed'; readonly reason: string };

export interface MutationEdit {
  /** Null: there was none. */
  readonly before: PlainMutation | null;
  readonly after: PlainMutation;
}

/** @param base what everybody gets on the line that the edit was made on */
export function lineEffect(base: PlainValue, other: PlainValue, edit: MutationEdit): LineEffect {
  const there = applyPlain(other, edit.after);
  if (there instanceof NotApplicable) return { kind: 'missed', reason: there.reason };
  const isSame = differenceOn(base, edit) === differenceOn(other, edit);
  return { kind: isSame ? 'same' : 'different' };
}

function differenceOn(base: PlainValue, { before, after }: MutationEdit): string {
  const changes = changesBetween(resultOn(base, before), resultOn(base, after));
  return changes.map((change) => printPlain(operationOf(change))).join();
}

/** What players get: a mutation that does not apply changes nothing. */
function resultOn(base: PlainValue, mutation: PlainMutation | null): PlainValue {
  const result = mutation === null ? base : applyPlain(base, mutation);
  return result instanceof NotApplicable ? base : result;
}
