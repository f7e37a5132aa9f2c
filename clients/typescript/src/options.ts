/** What the options of a client must be. */
import type { Options } from './client.js';

/** Throws a TypeError that names the option which is wrong. */
export function checkOptions(options: Options): void {
  const { url, key, user = '', attributes = {}, appVersion = '0.0.0', ids = [] } = options;
  const { baseline = '', updates = 'stream', pollSeconds = 1 } = options;
  const isRight = {
    url: /^https?:\/\/[^\s?#]+$/i.test(url),
    key: key && isText(key),
    user: isText(user),
    attributes: areAttributes(attributes),
    appVersion: /^(\d{1,9}\.){2}\d{1,9}$/.test(appVersion),
    ids: [...ids].every(isText),
    baseline: isText(baseline),
    updates: /^(stream|poll|none)$/.test(updates),
    pollSeconds: pollSeconds >= 1,
  };
  for (const [name, value] of Object.entries(isRight))
    if (!value) throw new TypeError(`Loadout: wrong ${name}`);
}

const isText = (value: unknown) => typeof value === 'string';

/** Whether they are an object that can be sent. */
export function areAttributes(attributes: unknown): boolean {
  try {
    return JSON.stringify(attributes)[0] === '{';
  } catch {
    return false;
  }
}
