/** What the demo's made-up players ask for: a few hundred of them, each with attributes of their own. */

import { SeededRandom } from './game/seeded-random.js';

export interface PlayerKeys {
  readonly production: string;
  readonly staging: string;
}

export interface PlayerRequest {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly key: string;
  /** JSON text, or null without one. */
  readonly body: string | null;
}

const seed = 0x91a7e5;
const playersMax = 600;
const api = '/api/v1';
/** Of a hundred requests, those with the key of staging: the studio's own devices. */
const stagingPercent = 6;

const countries = ['US', 'US', 'US', 'DE', 'DE', 'FR', 'GB', 'BR', 'JP', 'FI', 'PL', 'MX'] as const;
const versions = ['2.1.0', '2.1.0', '2.1.0', '2.1.2', '2.0.4', '1.9.3', '1.5.0'] as const;
const atStart = encodeURIComponent('["features","economy","events","notifications"]');
/** By how often they are asked for. */
const screens = ['shop', 'shop', 'shop', 'events', 'events', 'battle-pass', 'matchmaking'] as const;
const rareScreens = ['onboarding', 'heroes', 'loot-tables', 'levels', 'localisation-en'] as const;

export class PlayerRequests {
  readonly #random = new SeededRandom(seed);
  /** User contexts, JSON text. */
  readonly #players: readonly string[];
  readonly #keys: PlayerKeys;

  constructor(keys: PlayerKeys) {
    this.#keys = keys;
    this.#players = Array.from({ length: playersMax }, (_, number) => this.#player(number));
  }

  next(): PlayerRequest {
    const random = this.#random;
    const isStudio = random.between(1, 100) <= stagingPercent;
    const key = isStudio ? this.#keys.staging : this.#keys.production;
    const body = this.#players[random.between(0, playersMax - 1)] ?? '{}';
    const ask = (path: string): PlayerRequest => ({ method: 'POST', path: api + path, key, body });
    const dice = random.between(1, 200);
    if (dice <= 70) return ask(`/combine/?c=${atStart}&dynamic=true`);
    if (dice <= 145) return ask(`/config/${random.pick(screens)}/dynamic`);
    if (dice <= 165) return ask(`/config/${random.pick(rareScreens)}/dynamic`);
    if (dice <= 180) return ask(`/config/${random.pick(['features', 'economy'])}`);
    if (dice <= 196) return { method: 'GET', path: `${api}/env/catalog`, key, body: null };
    // What goes wrong in every game: a content that was deleted, and a client with a key that is long revoked.
    if (dice <= 199) return ask('/config/winter-sale/dynamic');
    return { ...ask('/config/features'), key: 'a-key-of-another-game-0001' };
  }

  #player(number: number): string {
    const random = this.#random;
    const daysSinceInstall = random.between(0, 300);
    return JSON.stringify({
      u: `player-${number}`,
      p: {
        country: random.pick(countries),
        platform: random.pick(['ios', 'android', 'android']),
        level: random.between(1, 80),
        sessions: random.between(1, 400),
        daysSinceInstall,
        daysSinceLastSession: random.between(0, 20),
        totalSpend: random.between(0, 9) < 7 ? 0 : random.between(1, 300),
        pushAllowed: random.between(0, 1) === 1,
        labels: random.between(0, 9) === 0 ? ['beta'] : [],
      },
      v: random.pick(versions),
    });
  }
}
