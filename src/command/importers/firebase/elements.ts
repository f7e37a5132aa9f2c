/** What Firebase knows of a player, and the attribute in which a game sends the same to Loadout. */

import { attributeName } from '../names.js';
import type { Atom } from './expression.js';

export interface ElementAttribute {
  /** As conditions name it. */
  readonly path: string;
  /** Place in the body of a request. */
  readonly sentAs: string;
  readonly meaning: string;
}

function attribute(path: string, meaning: string): ElementAttribute {
  return { path, sentAs: `p.${path}`, meaning };
}

const elements: Readonly<Record<string, ElementAttribute>> = {
  'app.version': {
    path: '@v',
    sentAs: 'v',
    meaning: 'version of the game, X.Y.Z',
  },
  'app.build': attribute('appBuild', 'build number of the game (app.build)'),
  'app.id': attribute('appId', 'Firebase app id of the build (app.id)'),
  'app.firebaseInstallationId': attribute(
    'firebaseInstallationId',
    'Firebase installation id, or the id of the installation that the game makes itself',
  ),
  'app.firstOpenTimestamp': attribute(
    'firstOpen',
    'when the player first opened the game, milliseconds since 1970 (app.firstOpenTimestamp)',
  ),
  'device.country': attribute('country', 'country of the player, ISO 3166-1 alpha-2, upper case'),
  'device.language': attribute('language', 'language tag of the device, such as en-US'),
  'device.os': attribute('os', 'operating system: ios, android or web'),
};
/** Names without `app.` occur too. */
const shortNames: Readonly<Record<string, string>> = {
  firebaseInstallationId: 'app.firebaseInstallationId',
  firstOpenTimestamp: 'app.firstOpenTimestamp',
};
const reserved: ReadonlySet<string> = new Set(Object.values(elements).map(({ path }) => path));

/** Null: only Firebase can know it. */
export function attributeOf({
  element,
  key,
}: Pick<Atom, 'element' | 'key'>): ElementAttribute | null {
  if (element === 'app.userProperty' && key !== null) {
    return attribute(keyed(key, 'user'), `user property ${key}`);
  }
  if (element === 'app.customSignal' && key !== null) {
    return attribute(keyed(key, 'signal'), `custom signal ${key}`);
  }
  return elements[shortNames[element] ?? element] ?? null;
}

/** A user property called `country` is not the country of the device. */
function keyed(key: string, prefix: string): string {
  const name = attributeName(key);
  return reserved.has(name) ? `${prefix}_${name}` : name;
}
