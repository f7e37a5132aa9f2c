/** What the options of a client must be. */
import type { Options } from './client.js';

const addressPattern = /^https?:\/\/[^\s?#]+$/i;
const versionPattern = /^(\d{1,9}\.){2}\d{1,9}$/;

/** Throws a TypeError that names the option which is wrong. */
export function checkOptions(options: Options): void {
  const { url, key, user = '', attributes = {}, appVersion = '0.0.0', ids = [] } = options;
  const { baseline = '', updates = 'stream', pollSeconds = 1 } = options;
  const texts = [url, key, user, appVersion, baseline, ...[ids].flat()];
  const isRight = {
    text: texts.every((text) => typeof text === 'string'),
    url: addressPattern.test(url),
    key,
    attributes: areAttributes(attributes),
    appVersion: versionPattern.test(appVersion),
    updates: /^(stream|poll|none)$/.test(updates),
    pollSeconds: pollSeconds >= 1 && Number.isFinite(pollSeconds),
  };
  for (const [name, value] of Object.entries(isRight))
    if (!value) throw new TypeError(`Loadout: wrong option ${name}`);
}

/** Whether they are an object that can be sent. */
export function areAttributes(attributes: unknown): boolean {
  try {
    return JSON.stringify(attributes)[0] === '{';
  } catch {
    return false;
  }
}
