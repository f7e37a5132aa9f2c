/** Players of a game that a client kit configures. A value of the wrong type crashes the game before it reaches its menu. */

import {
  type Client,
  createClient,
  fileStorage,
  type Source,
  type Transport,
  transportFrom,
} from '../kit-client.js';

/** How a start of the game went. */
export interface GameStart {
  readonly isHealthy: boolean;
  readonly source: Source;
  /** Of what the shop sells; the default, 0, where the game crashed. */
  readonly price: number;
}

export interface Player {
  readonly u: string;
  /** The game starts: after it was ended if it ran, and after its crash otherwise. */
  start(): Promise<GameStart>;
  end(): Promise<void>;
}

export interface PlayedGame {
  readonly url: string;
  readonly key: string;
}

const startMillisMax = 60_000;

/** The TypeScript kit in this process, with its storage on disk. */
export class KitPlayer implements Player {
  readonly u: string;
  readonly #game: PlayedGame;
  readonly #folder: string;
  readonly #transport: Transport;
  /** The game that runs; null after a crash, which calls nothing of it any more. */
  #client: Client | null = null;

  /** @param address that the proxy sees */
  constructor(game: PlayedGame, u: string, folder: string, address: string) {
    this.u = u;
    this.#game = game;
    this.#folder = folder;
    this.#transport = transportFrom(address);
  }

  async start(): Promise<GameStart> {
    await this.end();
    const client = createClient({
      ...{ ...this.#game, user: this.u, updates: 'none' },
      ...{ storage: fileStorage(this.#folder), transport: this.#transport },
    });
    await client.start(startMillisMax);
    const { value, source } = client.get('shop', '/price', 0);
    const isHealthy = source !== 'default';
    if (isHealthy) {
      client.ready();
      this.#client = client;
    }
    return { isHealthy, source, price: value };
  }

  async end(): Promise<void> {
    await this.#client?.stop();
    this.#client = null;
  }
}
