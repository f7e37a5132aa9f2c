/** Finds the questions that somebody names. */
import { nearest } from './nearest.mjs';

/** The command cannot be run as it was typed. */
export class UsageError extends Error {}

/**
 * The questions whose names begin with one of the words.
 * @param {readonly string[]} typed
 * @param {readonly string[]} all
 * @param {readonly string[]} unnamed those that are asked when none is named
 */
export function askedOf(typed, all, unnamed) {
  if (typed.length === 0) return unnamed;
  for (const name of typed) {
    if (all.some((each) => each.startsWith(name))) continue;
    const prefixes = new Set(all.flatMap((each) => [each.split('/').slice(0, 2).join('/'), each]));
    const meant = nearest(name, [...prefixes]);
    throw new UsageError(
      `no question is called '${name}'.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    );
  }
  return all.filter((each) => typed.some((name) => each.startsWith(name)));
}
