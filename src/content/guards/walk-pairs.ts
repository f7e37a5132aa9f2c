/**
 * Walks what is possible now beside what was possible before, place by place. Arrays that are equally long on both sides are
 * paired element by element; otherwise all elements of one side with all of the other, as `*` (D90).
 */

import { type AbstractValue, Plain } from '../envelope/abstract-value.js';
import { pointerWith } from '../envelope/pointer-with.js';
import { ValueGroup } from '../envelope/value-group.js';
import { valueEndOf, valueStartOf } from '../json/document.js';

/** What the visitor keeps for a place, and derives for the places below it; null: nothing below matters. */
export type Below<State> = (state: State, name: string | null) => State | null;

interface Waiting<State> {
  readonly path: string;
  readonly now: readonly AbstractValue[];
  readonly before: readonly AbstractValue[];
  readonly state: State;
}

/**
 * Visits the places that both sides have and where they differ, depth first in the order of the document.
 * @param below the state of a member or of an element; its name is null where elements are taken together
 * @param visit false: the walk ends
 */
export function walkPairs<State>(
  now: AbstractValue,
  before: AbstractValue,
  state: State,
  below: Below<State>,
  visit: (path: string, now: ValueGroup, before: ValueGroup, state: State) => boolean,
): void {
  const waiting: Waiting<State>[] = [{ path: '', now: [now], before: [before], state }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (areSame(next.now, next.before)) continue;
    const pair = [new ValueGroup(next.now), new ValueGroup(next.before)] as const;
    if (!visit(next.path, ...pair, next.state)) return;
    const found: Waiting<State>[] = [];
    const push = (
      name: string | null,
      nowValues: readonly AbstractValue[],
      beforeValues: readonly AbstractValue[],
    ): void => {
      const stateBelow = below(next.state, name);
      if (stateBelow === null || nowValues.length === 0 || beforeValues.length === 0) return;
      const path = pointerWith(next.path, name ?? '*');
      found.push({ path, now: nowValues, before: beforeValues, state: stateBelow });
    };
    pushElements(...pair, push);
    pushMembers(...pair, push);
    for (let i = found.length - 1; i >= 0; i--) waiting.push(found[i] as Waiting<State>);
  }
}

type Push = (
  name: string | null,
  now: readonly AbstractValue[],
  before: readonly AbstractValue[],
) => void;

function pushElements(now: ValueGroup, before: ValueGroup, push: Push): void {
  const { length } = now;
  if (length === null || length !== before.length) {
    push(null, now.elements, before.elements);
    return;
  }
  for (let index = 0; index < length; index++) {
    push(String(index), now.elementsAt(index), before.elementsAt(index));
  }
}

function pushMembers(now: ValueGroup, before: ValueGroup, push: Push): void {
  for (const { name, values } of now.members) {
    push(name, values, before.member(name)?.values ?? []);
  }
}

/** The usual case, decided without looking into the values: both sides are the same bytes. */
function areSame(now: readonly AbstractValue[], before: readonly AbstractValue[]): boolean {
  return now.length === before.length && now.every((value, i) => isSame(value, before[i]));
}

function isSame(one: AbstractValue, other: AbstractValue | undefined): boolean {
  if (one === other) return true;
  if (!(one instanceof Plain && other instanceof Plain)) return false;
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

function bytesOf({ origin: { document }, node }: Plain): Uint8Array {
  return document.bytes.subarray(valueStartOf(document, node), valueEndOf(document, node));
}
