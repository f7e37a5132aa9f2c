/** What the options of a client must be. */
import type { Options } from './client.js';

const addressPattern = /^https?:\/\/[^\s?#]+$/i;
const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

/** Throws a TypeError that names the option which is wrong. */
export function checkOptions(options: Options): void {
  const { url, key, user, attributes, appVersion, ids, baseline, updates, pollSeconds } = options;
  const checks = {
    url: typeof url === 'string' && addressPattern.test(url),
    key: typeof key === 'string' && key !== '',
    user: user === undefined || typeof user === 'string',
    attributes: attributes === undefined || areAttributes(attributes),
    appVersion: appVersion === undefined || versionPattern.test(appVersion),
    ids: ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === 'string')),
    baseline: baseline === undefined || typeof baseline === 'string',
    updates: updates === undefined || ['stream', 'poll', 'none'].includes(updates),
    pollSeconds: pollSeconds === undefined || (Number.isFinite(pollSeconds) && pollSeconds >= 1),
  };
  for (const [name, isRight] of Object.entries(checks)) {
    if (!isRight) throw new TypeError(`The option ${name} of the Loadout client is wrong.`);
  }
}

/** Whether they are an object that can be sent. */
export function areAttributes(attributes: unknown): boolean {
  try {
    return JSON.stringify(attributes)[0] === '{';
  } catch {
    return false;
  }
}
