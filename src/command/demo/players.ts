/** The demo's made-up players: a gentle load on its own delivery port, so that the console has something to show. */

import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { attributesOf } from './player-attributes.js';
import { reportedContents, reportOf } from './player-reports.js';

/** Requests are sent in small batches this often. */
const tickMs = 100;
/** Requests per second: two waves, of minutes and of half a minute, between 16 and 40. */
const perSecondMean = 28;
const [tide, swell] = [
  { perSecond: 8, periodMs: 180_000 },
  { perSecond: 4, periodMs: 37_000 },
] as const;
/** Does not pile requests on a server that is busy with something else. */
const underWayMax = 50;
const connectionsMax = 8;
const playersMax = 600;
/** Of a hundred requests, those with the key of staging: the studio's own devices. */
const stagingPercent = 6;

const versions = ['2.1.0', '2.1.0', '2.1.0', '2.1.2', '2.0.4', '1.9.3', '1.5.0'] as const;
const atStart = encodeURIComponent('["features","economy","events","notifications"]');
/** As often as they are requested. */
const screens = ['shop', 'shop', 'shop', 'events', 'events', 'battle-pass', 'matchmaking'] as const;
const rareScreens = ['onboarding', 'heroes', 'loot-tables', 'levels', 'localisation-en'] as const;
const timeoutMs = 10_000;

interface Player {
  readonly u: string;
  /** User context, JSON text. */
  readonly context: string;
}

interface PlayerRequest {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly key: string;
  /** JSON text; null: a GET. */
  readonly body: string | null;
  /** The player reports what it is given: whose report, and of which content. */
  readonly reports?: { readonly u: string; readonly content: string };
}

interface PlayerKeys {
  readonly production: string;
  readonly staging: string;
}

export class Players {
  readonly #url: URL;
  readonly #keys: PlayerKeys;
  readonly #contexts = Array.from({ length: playersMax }, (_, number) => makePlayer(number));
  readonly #isSecure: boolean;
  readonly #agent: HttpAgent | HttpsAgent;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  readonly #underWay = new Set<ClientRequest>();

  /** @param deliveryUrl origin of the delivery port */
  constructor(deliveryUrl: string, keys: PlayerKeys) {
    this.#url = new URL(deliveryUrl);
    this.#keys = keys;
    this.#isSecure = this.#url.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#agent = this.#isSecure
      ? // Our own server on this machine, whose certificate is for its public name.
        new HttpsAgent({ ...options, rejectUnauthorized: false })
      : new HttpAgent(options);
  }

  start(): void {
    // The server alone keeps the process running.
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Stops at once, so that a draining server does not wait for them. */
  stop(): void {
    clearInterval(this.#timer);
    // Also those that wait for a connection: the agent alone would give each the place of one that it ended.
    for (const request of this.#underWay) request.destroy();
    this.#agent.destroy();
  }

  nextRequest(): PlayerRequest {
    const { staging, production } = this.#keys;
    const key = between(1, 100) <= stagingPercent ? staging : production;
    const { u, context: body } = pick(this.#contexts);
    const post = (path: string) => ({ path, key, body });
    const dice = between(1, 200);
    if (dice <= 14) {
      const content = pick(reportedContents);
      return { ...post(`/config/${content}/dynamic`), key: production, reports: { u, content } };
    }
    if (dice <= 70) return post(`/combine/?c=${atStart}&dynamic=true`);
    if (dice <= 145) return post(`/config/${pick(screens)}/dynamic`);
    if (dice <= 165) return post(`/config/${pick(rareScreens)}/dynamic`);
    if (dice <= 180) return post(`/config/${pick(['features', 'economy'])}`);
    if (dice <= 196) return { path: '/env/catalog', key, body: null };
    // What goes wrong in every game: a deleted content, and a client with a key that is not known.
    if (dice <= 199) return post('/config/winter-sale/dynamic');
    return { ...post('/config/features'), key: 'a-key-of-another-game-0001' };
  }

  #tick(): void {
    const wave = ({ perSecond, periodMs }: typeof tide | typeof swell): number =>
      perSecond * Math.sin((2 * Math.PI * Date.now()) / periodMs);
    this.#due += ((perSecondMean + wave(tide) + wave(swell)) * tickMs) / 1000;
    for (; this.#due >= 1; this.#due -= 1) {
      if (this.#underWay.size < underWayMax) this.#send(this.nextRequest());
    }
  }

  #send({ path, key, body, reports }: PlayerRequest): void {
    const method = body === null ? 'GET' : 'POST';
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      ...(reports === undefined ? { 'accept-encoding': 'gzip' } : {}),
      ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const options = { method, headers, agent: this.#agent, timeout: timeoutMs };
    const send = this.#isSecure ? httpsRequest : httpRequest;
    const request = send(new URL(`/api/v1${path}`, this.#url), options, (response) => {
      if (reports === undefined || response.statusCode !== 200) response.resume();
      else void this.#report(response, key, reports);
    });
    this.#underWay.add(request);
    request.on('timeout', () => request.destroy());
    // The responses are not used, and the server may end at any time.
    request.on('error', () => undefined);
    request.on('close', () => this.#underWay.delete(request));
    request.end(body ?? undefined);
  }

  async #report(
    response: IncomingMessage,
    key: string,
    { u, content }: NonNullable<PlayerRequest['reports']>,
  ): Promise<void> {
    try {
      const body = reportOf(u, content, JSON.parse(await text(response)));
      if (body !== null) this.#send({ path: '/events', key, body });
    } catch {
      // The server may end at any time, in the middle of a response.
    }
  }
}

function makePlayer(number: number): Player {
  const u = `player-${number}`;
  const context = JSON.stringify({
    u,
    p: {
      ...attributesOf(u),
      level: between(1, 80),
      sessions: between(1, 400),
      daysSinceInstall: between(0, 300),
      daysSinceLastSession: between(0, 20),
      totalSpend: between(0, 9) < 7 ? 0 : between(1, 300),
      pushAllowed: between(0, 1) === 1,
      labels: between(0, 9) === 0 ? ['beta'] : [],
    },
    v: pick(versions),
  });
  return { u, context };
}

/** A whole number from `min` to `max`, both included. */
function between(min: number, max: number): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}

/** One of `choices`, which must not be empty. */
function pick<T>(choices: readonly T[]): T {
  return choices[between(0, choices.length - 1)] as T;
}
