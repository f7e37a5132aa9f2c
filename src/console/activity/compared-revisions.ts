/** Which two revisions of a content, or of a segment, an event lies between. Pure. */
import type { TellableEvent } from './event-words.js';

export interface ComparedRevisions {
  readonly env: string;
  /** Of the content, or the name of the segment. */
  readonly id: string;
  /** Null: there was none. */
  readonly from: number | null;
  readonly to: number;
}

/** Null: the event made no revision and put none live. */
export function comparedRevisions(event: TellableEvent): ComparedRevisions | null {
  const { action, environment: env, name: id, details } = event;
  if (!made.has(action)) return null;
  const to = member(details, 'revision');
  if (to === null) return null;
  const before = details['before'];
  // What players saw before is what a publish or a rollback replaced; a save goes on from the newest.
  const from = member(before, putsLive.has(action) ? 'live' : 'revision');
  return { env, id, from: from ?? member(before, 'revision'), to };
}

/** Null: the event made no revision of a segment, or is from before they were numbered. */
export function comparedSegmentRevisions(event: TellableEvent): ComparedRevisions | null {
  const { action, environment: env, name: id, details } = event;
  if (action !== 'segment.put' && action !== 'segment.rollback') return null;
  const to = member(details['after'], 'revision');
  const from = member(details['before'], 'revision');
  return to === null || to === from ? null : { env, id, from, to };
}

const made = new Set(['content.put', 'content.publish', 'content.rollback', 'content.remove-line']);
const putsLive = new Set(['content.publish', 'content.rollback']);

function member(value: unknown, name: string): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = (value as Readonly<Record<string, unknown>>)[name];
  return typeof found === 'number' ? found : null;
}
