/** Players who ask and an editor who edits all the time, a little; whatever fails is tried again, as games do. */
import { setTimeout as pause } from 'node:timers/promises';
import { ownerToken, type RunningServer } from '../support/server/server-process.js';
import { type Answer, send } from '../support/wire/exchange.js';

export interface LoadedServer {
  readonly server: RunningServer;
  /** The certificate of the delivery port, PEM; left out: it has none. */
  readonly ca?: string;
}

export interface LoadedGame {
  readonly id: string;
  readonly key: string;
}

const playersEveryMs = 200;
const editsEveryMs = 1_500;
/** One in that many requests is for content that is not there: a share of rejections that is ordinary. */
const missesEvery = 60;

export class SteadyLoad {
  /** Responses to players by their status; 0: none came. */
  readonly statuses = new Map<number, number>();
  /** Edits go through these, in turn; left out: through all. */
  editors: readonly LoadedServer[] | null = null;
  readonly #servers: () => readonly LoadedServer[];
  readonly #game: LoadedGame;
  readonly #work: readonly Promise<void>[];
  #isGoing = true;

  /** @param servers those that run now */
  constructor(game: LoadedGame, servers: () => readonly LoadedServer[]) {
    this.#game = game;
    this.#servers = servers;
    this.#work = [this.#play(), this.#edit()];
  }

  async stop(): Promise<void> {
    this.#isGoing = false;
    await Promise.all(this.#work);
  }

  async #play(): Promise<void> {
    for (let n = 1; this.#isGoing; n += 1) {
      for (const at of this.#servers()) void this.#ask(at, n);
      await pause(playersEveryMs);
    }
  }

  async #ask(at: LoadedServer, n: number): Promise<void> {
    const u = `player-${n % 500}`;
    const content = n % missesEvery === 0 ? 'none' : 'shop';
    const sent = [this.#post(at, `/api/v1/config/${content}/dynamic`, { u })];
    if (n % 5 === 0) {
      const event = { t: 'metric', n: 'sale', x: 1, eid: `e${n}`, at: new Date().toISOString() };
      sent.push(this.#post(at, '/api/v1/refresh', { u, ids: ['shop'] }));
      sent.push(this.#post(at, '/api/v1/events', { u, events: [event] }));
    }
    for (const answer of await Promise.all(sent)) {
      const status = answer?.status ?? 0;
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    }
  }

  #post({ server, ca }: LoadedServer, path: string, body: unknown): Promise<Answer | null> {
    return send(server.deliveryUrl, path, {
      method: 'POST',
      headers: { 'x-api-key': this.#game.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(ca === undefined ? {} : { ca }),
    }).catch(() => null);
  }

  async #edit(): Promise<void> {
    for (let n = 1; this.#isGoing; n += 1) {
      const editors = this.editors ?? this.#servers();
      const server = editors[n % Math.max(1, editors.length)]?.server;
      const path = `/admin/v1/environments/${this.#game.id}/contents/shop`;
      // What hangs is waited for, as editors wait: one edit at a time.
      const [answer] = await Promise.all([
        server === undefined
          ? null
          : send(server.adminUrl, path, {
              method: 'PUT',
              headers: {
                authorization: `Bearer ${ownerToken}`,
                'content-type': 'application/json',
              },
              body: JSON.stringify({ text: JSON.stringify({ price: n }) }),
            }).catch(() => null),
        pause(editsEveryMs),
      ]);
      // Why an alert about edits fires that no drill expects.
      if (server !== undefined && (answer === null || answer.status >= 500)) {
        const why = answer === null ? 'no response' : `${answer.status} ${answer.text}`;
        console.log(`${new Date().toISOString()} edit ${n} through ${server.adminUrl}: ${why}`);
      }
    }
  }
}
