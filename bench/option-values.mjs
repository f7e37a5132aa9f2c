/** Reads the values of options; what is wrong with one is said by commander, with the option's name before it. */
import { InvalidArgumentError } from 'commander';
import { nearest } from './nearest.mjs';

/**
 * @typedef {object} Cores Numbers as the kernel counts them.
 * @property {readonly number[]} server
 * @property {readonly number[]} load
 */

/** Who can take part in a race beside Loadout. */
export const contenderNames = ['floor', 'ordinary', 'pooled', 'pooled-aside'];

/**
 * A whole number.
 * @param {number} least
 * @param {number} most
 */
export function whole(least, most) {
  return (/** @type {string} */ text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** @param {string} text */
export function above0(text) {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 86_400) return value;
  throw new InvalidArgumentError('It is a number above 0.');
}

/**
 * @param {string} text
 * @returns {Cores}
 */
export function cores(text) {
  const [server, load, ...more] = text.split(',').map(coreSet);
  if (server == null || load == null || more.length > 0) {
    throw new InvalidArgumentError('It is two sets of cores, such as 0,1 or 0-3,4-7.');
  }
  if (server.some((core) => load.includes(core))) {
    throw new InvalidArgumentError('Server and load generator need cores of their own.');
  }
  return { server, load };
}

/**
 * @param {string} text `0`, `0-3`, `0+2`, `0-3+8`
 * @returns {number[] | null}
 */
export function coreSet(text) {
  /** @type {number[]} */
  const set = [];
  for (const part of text.split('+')) {
    const [, from, to] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (from === undefined) return null;
    const last = Number(to ?? from);
    if (last < Number(from)) return null;
    for (let core = Number(from); core <= last; core += 1) if (!set.includes(core)) set.push(core);
  }
  return set;
}

/** @param {string} text */
export function contenders(text) {
  if (text === 'none') return [];
  return list(text).map((name) => {
    if (contenderNames.includes(name) || name === 'loadout') return name;
    const meant = nearest(name, contenderNames);
    throw new InvalidArgumentError(
      `No contender is called ${name}.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    );
  });
}

/** @param {string} text */
export function list(text) {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes(''))
    throw new InvalidArgumentError('It is a list of names with commas between them.');
  return parts;
}

/** @param {string} text */
export function json(text) {
  try {
    JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is a JSON object, such as {"u":"player-1"}.');
  }
  return text;
}
