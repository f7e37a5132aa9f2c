/** The demo's made-up players: a gentle load on its own delivery port, so that there is something to see. */

import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type PlayerKeys, PlayerRequests } from './player-requests.js';

/** Requests are sent in small batches this often. */
const tickMs = 100;
/** Requests per second: two waves, of minutes and of half a minute, between 16 and 40. */
const perSecondMean = 28;
const [tide, swell] = [
  { perSecond: 8, periodMs: 180_000 },
  { perSecond: 4, periodMs: 37_000 },
] as const;
/** A server that is busy with something else gets no pile of requests on top of it. */
const underWayMax = 50;
const connectionsMax = 8;
const patienceMs = 10_000;

export class Players {
  readonly #url: URL;
  readonly #requests: PlayerRequests;
  readonly #isSecure: boolean;
  readonly #agent: HttpAgent | HttpsAgent;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  readonly #underWay = new Set<ClientRequest>();

  /** @param deliveryUrl origin of the delivery port */
  constructor(deliveryUrl: string, keys: PlayerKeys) {
    this.#url = new URL(deliveryUrl);
    this.#requests = new PlayerRequests(keys);
    this.#isSecure = this.#url.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#agent = this.#isSecure
      ? // Our own server on this machine, whose certificate is for its public name.
        new HttpsAgent({ ...options, rejectUnauthorized: false })
      : new HttpAgent(options);
  }

  start(): void {
    // They are there for the server's sake only.
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  /** Ends at once, so that a server that drains waits for nobody. */
  stop(): void {
    clearInterval(this.#timer);
    // Those that wait for a connection, too: the agent alone would give each the place of one that it ended.
    for (const request of this.#underWay) request.destroy();
    this.#agent.destroy();
  }

  #tick(): void {
    const wave = ({ perSecond, periodMs }: typeof tide | typeof swell): number =>
      perSecond * Math.sin((2 * Math.PI * Date.now()) / periodMs);
    this.#due += ((perSecondMean + wave(tide) + wave(swell)) * tickMs) / 1000;
    for (; this.#due >= 1; this.#due -= 1) {
      if (this.#underWay.size < underWayMax) this.#send();
    }
  }

  #send(): void {
    const { method, path, key, body } = this.#requests.next();
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
      ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const options = { method, headers, agent: this.#agent, timeout: patienceMs };
    const send = this.#isSecure ? httpsRequest : httpRequest;
    const request = send(new URL(path, this.#url), options, (answer) => answer.resume());
    this.#underWay.add(request);
    request.on('timeout', () => request.destroy());
    // Nobody reads what a made-up player is told, nor minds when the server ends.
    request.on('error', () => undefined);
    request.on('close', () => this.#underWay.delete(request));
    request.end(body ?? undefined);
  }
}
