/** Searches events for words: in what people wrote, in names, and in the names of the contents that an event was about. Pure. */
import { auditWordsMax } from '../../contract/limits.js';
import type { AuditEvent } from './rows.js';

/** In lower case, at most as many as one search may have. */
export function wordsOf(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(blank)
    .filter((word) => word !== '');
  return words.slice(0, auditWordsMax);
}

const blank = /\s+/;

/** As a text contains it within JSON. */
export function jsonSpelling(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What people wrote or named, in the details of an event. */
const wordDetails = [
  ...(['note', 'comment', 'title', 'reason', 'name', 'userName'] as const),
  ...(['label', 'content', 'segment', 'variant'] as const),
];

/**
 * Whether each word is found somewhere.
 * @param words in lower case
 * @param noted ids of the contents that the event was about, in lower case
 */
export function hasWords(
  { name, userName, details }: AuditEvent,
  words: readonly string[],
  noted: readonly string[],
): boolean {
  const texts = [name, userName, ...wordDetails.map((detail) => details[detail])]
    .concat(labelOf(details['before']), labelOf(details['after']))
    .filter((text) => typeof text === 'string')
    .map((text) => text.toLowerCase());
  return words.every((word) => [...texts, ...noted].some((text) => text.includes(word)));
}

function labelOf(state: unknown): unknown[] {
  if (typeof state !== 'object' || state === null) return [];
  const { label, name, description } = state as Readonly<Record<string, unknown>>;
  return [label, name, description];
}
