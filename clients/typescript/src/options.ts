/** What the options of a client must be. */
import { attempt } from './attempt.js';
import type { Options } from './client.js';

/** Of options that are texts, numbers or left out. */
const patterns: Readonly<Record<string, RegExp>> = {
  url: /^https?:\/\/[^\s?#]+$/i,
  key: /./,
  appVersion: /^((\d{1,9}\.){2}\d{1,9})?$/,
  updates: /^(stream|poll|none)?$/,
  pollSeconds: /^([1-9][\d.]*)?$/,
};

/** Throws a TypeError that names the option which is wrong. */
export function checkOptions(options: Options): void {
  const check = (name: string, isRight: boolean) => {
    if (!isRight) throw new TypeError(`Loadout: wrong ${name}`);
  };
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const name in patterns) check(name, !!patterns[name]?.test(`${given[name] ?? ''}`));
  check('attributes', areAttributes(options.attributes ?? {}));
}

/** Whether they are an object that can be sent. */
export function areAttributes(attributes: unknown): boolean {
  return attempt(() => JSON.stringify(attributes)[0]) === '{';
}
