/**
 * Matches a regular expression, and charges what that costs. How much depends on the text as well as on the pattern: a
 * character mostly goes from one known state of re2js to another (20 ns), but a state that is met for the first time
 * has to be made (up to 20 us where the program is large), and a hostile text meets a new one with every character.
 */

import type { RE2JS } from 're2js';
import {
  matchedCharacterWork,
  matchWork,
  onePassCharacterWork,
  scannedCharacterWork,
  spend,
  statePlaceWork,
  stateWork,
  threadWork,
  type WorkMeter,
} from '../evaluation-work.js';

/** What of re2js (pinned in package.json) is metered: the step to a state that is not known yet, and a whole match. */
interface Engine {
  readonly onepass: object | null;
  readonly dfa: {
    step: (state: State, ...rest: unknown[]) => State | null;
    match: (input: Input, ...rest: unknown[]) => boolean | null;
  };
}

interface State {
  readonly nfaStates: readonly number[];
}

interface Input {
  endPos(): number;
}

/** Ends a match that has become too long. One object for all: making an error takes longer than a match does. */
class MatchTooLong extends Error {}
const matchTooLong = new MatchTooLong('A match takes more work than the request may cause.');

export class MeteredPattern {
  readonly #pattern: RE2JS;
  /** For each character, before states come in. */
  readonly #characterWork: number;
  /** Instructions of the compiled program. */
  readonly programSize: number;
  /** The caller of the match under way. */
  #meter: WorkMeter = idle;

  constructor(pattern: RE2JS) {
    this.#pattern = pattern;
    this.programSize = pattern.programSize();
    const { onepass, dfa } = (pattern as unknown as { readonly re2Input: Engine }).re2Input;
    this.#characterWork = onepass === null ? scannedCharacterWork : onePassCharacterWork;
    this.#meterEngine(dfa);
  }

  /** Whether any part of `text` matches. */
  test(text: string, meter: WorkMeter): boolean {
    if (!spend(meter, matchWork + text.length * this.#characterWork)) return false;
    this.#meter = meter;
    try {
      return this.#pattern.test(text);
    } catch (error) {
      if (error === matchTooLong) return false;
      throw error;
    } finally {
      this.#meter = idle;
    }
  }

  /** An exception leaves the states as they were: each is entered into its table when it is complete. */
  #meterEngine(dfa: Engine['dfa']): void {
    const { step, match } = dfa;
    dfa.step = (state, ...rest) => {
      const next = step.call(dfa, state, ...rest);
      const places = state.nfaStates.length + (next === null ? 0 : next.nfaStates.length);
      this.#charge(stateWork + statePlaceWork * places);
      return next;
    };
    dfa.match = (input, ...rest) => {
      this.#charge(input.endPos() * matchedCharacterWork);
      const matched = match.call(dfa, input, ...rest);
      // There were more states than it keeps: now all threads of the program are followed at once.
      if (matched === null) this.#charge(input.endPos() * this.programSize * threadWork);
      return matched;
    };
  }

  #charge(nanoseconds: number): void {
    if (!spend(this.#meter, nanoseconds)) throw matchTooLong;
  }
}

const idle: WorkMeter = { workLeft: 0 };
