/** Describes what a response at a past time consists of: the revision and the segments that applied then. Pure. */
import type { Evaluation } from '../../contract/operations/evaluate.js';
import type { Side } from './evaluate.js';

export type AppliedThen = Pick<Evaluation, 'revision' | 'unsaved' | 'segments'>;

/** @param at RFC 3339; null: now */
export function isPast(at: string | null, nowMs: number): boolean {
  return at !== null && Date.parse(at) < nowMs;
}

/** @param time formatted for people */
export function describeAsOf(
  { revision, unsaved, segments }: AppliedThen,
  side: Side,
  time: string,
): string {
  const used = segments.map((segment) => `segment ${segment.name}, revision ${segment.revision}`);
  if (unsaved) {
    const present = used.length === 0 ? '' : ` and the current segments: ${used.join('; ')}`;
    return `With the clock at ${time}: what is typed${present}.`;
  }
  const live = side === 'live' ? ', which was live then' : '';
  return `As of ${time}: ${[`revision ${revision}${live}`, ...used].join('; ')}.`;
}
