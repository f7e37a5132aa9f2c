/** What a bulk evaluation is of: the content items that list flags, and the body of each for one player. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { bulkFlagsMax } from '../limits.js';
import type { Problem } from '../problems.js';
import { RenderSlot } from '../render/render-slot.js';
import { Coding, Form } from '../render/render-task.js';
import type { ServedState } from '../render/served-state.js';
import { noVersionLine } from './flag-requests.js';
import { flagNotFound, targetingKeyMissing, tooManyFlags } from './ofrep-errors.js';

/** Why a flag cannot be evaluated. */
export type FlagProblem = (key: string) => Problem;

/** One content item, for one player. */
export interface ChosenContent {
  readonly content: ServedState;
  /** Its body, or why none of its flags can be evaluated. */
  readonly slot: RenderSlot | FlagProblem;
}

/** What a player gets, known without rendering. */
export interface BulkChoice {
  readonly contents: readonly ChosenContent[];
  /** Flags, and tags of what they are of. */
  readonly list: string;
  /** What the evaluations say beside that: hashes and version lines. */
  readonly origins: string;
}

const lineless: FlagProblem = (key) => flagNotFound(key, noVersionLine);

/**
 * @param flagged what the caller is given of the content items that list flags
 * @returns null when the rules need more work than the caller may cause
 */
export function chooseBulk(
  flagged: readonly ServedState[],
  caller: EvaluationContext,
  nowMs: number,
): BulkChoice | null {
  const contents: ChosenContent[] = [];
  let list = '';
  let origins = '';
  for (const content of flagged) {
    const slot = content.slot(caller, Form.Wrapped, Coding.Identity, nowMs);
    const isMissing = content.isKeyMissing(caller, slot, nowMs);
    if (caller.isOverworked) return null;
    contents.push({ content, slot: isMissing ? targetingKeyMissing : (slot ?? lineless) });
    list += `${content.flagsTagOf(slot, isMissing)}\n`;
    if (slot !== null) origins += `${slot.line.hash} ${slot.line.versionText}\n`;
  }
  return { contents, list, origins };
}

/** The caller was given it, or holds it: counts for the experiments that run. */
export function countBulk(
  { contents }: BulkChoice,
  caller: EvaluationContext,
  nowMs: number,
): void {
  for (const { slot } of contents) {
    if (slot instanceof RenderSlot) slot.counted?.count(caller, nowMs);
  }
}

/** Why they have no bulk evaluation, or null. */
export function problemOf(flagged: readonly ServedState[]): Problem | null {
  let count = 0;
  for (const { flags } of flagged) count += flags.length;
  return count > bulkFlagsMax ? tooManyFlags(count, bulkFlagsMax) : null;
}
