/** The path of a guard as a pattern, and how far it matches on the way down. */

import { parsePointer } from '../mutation/json-pointer.js';
import type { Guard } from './guard.js';

/** A guard, and how many tokens of its path match the way so far. */
export interface GuardState {
  readonly guard: Guard;
  readonly tokens: readonly string[];
  readonly matched: number;
}

/** At the root. A path that is no JSON Pointer matches nothing. */
export function initialStates(guards: readonly Guard[]): GuardState[] {
  const states = guards.flatMap((guard) => {
    const pointer = parsePointer(guard.path);
    if (typeof pointer === 'string') return [];
    return [{ guard, tokens: pointer.tokens.map(({ key }) => key.text), matched: 0 }];
  });
  return closed(states);
}

/** One step down. @param names the member's name or the element's place; null: any element */
export function nextStates(states: readonly GuardState[], name: string | null): GuardState[] {
  const next: GuardState[] = [];
  for (const state of states) {
    const token = state.tokens[state.matched];
    if (token === undefined) continue;
    if (token === ANY_DEPTH) next.push(state);
    else if (token === ANY_NAME || token === name || (name === null && ELEMENT_PLACE.test(token))) {
      next.push({ ...state, matched: state.matched + 1 });
    }
  }
  return closed(next);
}

/** The guards whose path ends here. */
export function matchesOf(states: readonly GuardState[]): Guard[] {
  return states.flatMap(({ guard, tokens, matched }) => (matched === tokens.length ? [guard] : []));
}

/** The name that must be there next; null: any name matches, or the path ends here. */
export function requiredName({ guard, tokens, matched }: GuardState): string | null {
  const token = tokens[matched];
  if (guard.required !== true || token === undefined) return null;
  // Below `**` it is not said where the name must be.
  const isAnywhere = tokens.slice(0, matched + 1).includes(ANY_DEPTH);
  return isAnywhere || token === ANY_NAME ? null : token;
}

/** With what `**` matches without a step. Each state once: patterns with several `**` would otherwise multiply. */
function closed(states: readonly GuardState[]): GuardState[] {
  const result = new Map<Guard, Map<number, GuardState>>();
  for (const state of states) {
    let { matched } = state;
    const known = result.get(state.guard) ?? new Map<number, GuardState>();
    result.set(state.guard, known);
    known.set(matched, state);
    while (state.tokens[matched] === ANY_DEPTH) {
      matched++;
      known.set(matched, { ...state, matched });
    }
  }
  return [...result.values()].flatMap((known) => [...known.values()]);
}

const ANY_NAME = '*';
const ANY_DEPTH = '**';
const ELEMENT_PLACE = /^(?:0|[1-9][0-9]*)$/;
