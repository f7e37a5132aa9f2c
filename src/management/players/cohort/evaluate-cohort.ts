/** The task of a worker: sums for as many players of a list as there is time for. */
import { strict as assert } from 'node:assert';
import { indexDocument } from '../../../content/json/document.js';
import { parsePointer } from '../../../content/mutation/json-pointer.js';
import { contextBytesMax } from '../../../contract/limits.js';
import { type CandidateState, readCandidate } from '../../evaluation/candidate.js';
import { contextOf } from '../../evaluation/read-context.js';
import { JudgedState, type Wanted } from './judged-state.js';
import { type CohortPeriod, type WalkedState, walkPeriods } from './walk-periods.js';

/** `none`: nothing was live; null: it is left to another task. */
export type CohortState = CandidateState | 'none' | 'not_known' | null;

export interface EvaluateCohort {
  /** The same for tasks that differ in players only: what a worker has made of the states may serve the next one. */
  readonly key: string;
  readonly periods: readonly CohortPeriod[];
  readonly states: readonly CohortState[];
  readonly path: string;
  /** JSON text; null: any value. */
  readonly equals: Uint8Array | null;
  /** JSON text: the list of `{u, p, v}`. */
  readonly players: Uint8Array;
  /** Which of them: [from, until). */
  readonly from: number;
  readonly until: number;
  /** It ends this long after the states are read; one player is done in any case. */
  readonly msMax: number;
  readonly levelsMax: number;
}

/** What is known of a player. Times in milliseconds, and moments since the epoch. */
export interface PlayerSums {
  /** Infinity: never given. */
  firstMs: number;
  untilMs: number;
  givenMs: number;
  /** The state that gave it first; -1: none. */
  givenState: number;
  notKnownMs: number;
  /** The first state that is not known; -1: none. */
  notKnownState: number;
  rejectedMs: number;
  /** Why delivery takes no such context; null: it does. */
  invalid: string | null;
}

/** @returns the sums of the first of the players */
export function evaluateCohort(input: EvaluateCohort): PlayerSums[] {
  const { periods, from, until, msMax } = input;
  const states = statesOf(input);
  const contexts = JSON.parse(Buffer.from(input.players).toString()) as unknown[];
  const isSmall = input.players.byteLength <= contextBytesMax;
  const done: PlayerSums[] = [];
  const endMs = performance.now() + msMax;
  for (const context of contexts.slice(from, until)) {
    if (done.length > 0 && performance.now() >= endMs) break;
    const sums = noSums();
    done.push(sums);
    const caller = isSmall || isSmallEnough(context) ? contextOf(context) : tooLarge;
    if (typeof caller === 'string') {
      sums.invalid = caller;
      continue;
    }
    walkPeriods(periods, states, caller, (outcome, state, fromMs, untilMs) => {
      const ms = untilMs - fromMs;
      if (outcome === 'given') {
        if (sums.givenState === -1) {
          sums.givenState = state;
          sums.firstMs = fromMs;
        }
        sums.untilMs = untilMs;
        sums.givenMs += ms;
      } else if (outcome === 'not_known') {
        if (sums.notKnownState === -1) sums.notKnownState = state;
        sums.notKnownMs += ms;
      } else if (outcome === 'rejected') {
        sums.rejectedMs += ms;
      }
    });
  }
  return done;
}

interface KeptStates {
  readonly key: string;
  readonly states: readonly (WalkedState | null)[];
}

/** Of the last task of this worker, until its memory is needed: reading 200 states takes 0.5 s on a busy machine. */
let kept: WeakRef<KeptStates> | null = null;

function statesOf({ key, path, equals, states, levelsMax }: EvaluateCohort): KeptStates['states'] {
  const last = kept?.deref();
  if (last?.key === key) return last.states;
  const pointer = parsePointer(path);
  assert(typeof pointer !== 'string', 'the path was validated');
  const wanted = { pointer, equals: equals && indexDocument(equals) };
  const read = { key, states: states.map((state) => readState(state, wanted, levelsMax)) };
  kept = new WeakRef(read);
  return read.states;
}

/** What two tasks found out about a player in different states. */
export function joinSums(one: PlayerSums, other: PlayerSums): PlayerSums {
  const first = one.firstMs <= other.firstMs ? one : other;
  const isOneKnown = one.notKnownState === -1;
  return {
    firstMs: first.firstMs,
    untilMs: Math.max(one.untilMs, other.untilMs),
    givenMs: one.givenMs + other.givenMs,
    givenState: first.givenState,
    notKnownMs: one.notKnownMs + other.notKnownMs,
    notKnownState: isOneKnown ? other.notKnownState : one.notKnownState,
    rejectedMs: one.rejectedMs + other.rejectedMs,
    invalid: one.invalid,
  };
}

const tooLarge = `is larger than ${contextBytesMax} bytes`;

function isSmallEnough(context: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(context)) <= contextBytesMax;
}

function noSums(): PlayerSums {
  return {
    ...{ firstMs: Number.POSITIVE_INFINITY, untilMs: 0, givenMs: 0, givenState: -1 },
    ...{ notKnownMs: 0, notKnownState: -1, rejectedMs: 0, invalid: null },
  };
}

/** @returns null for a state that is left to another task */
export function readState(
  state: CohortState,
  wanted: Wanted,
  levelsMax: number,
): WalkedState | null {
  if (state === null) return null;
  if (state === 'none') return { outcome: () => 'other', changesAtMs: never };
  if (state === 'not_known') return { outcome: () => 'not_known', changesAtMs: never };
  const candidate = readCandidate(state, levelsMax);
  assert(!('code' in candidate), 'a saved state is valid');
  return new JudgedState(candidate, wanted);
}

const never = () => Number.POSITIVE_INFINITY;
