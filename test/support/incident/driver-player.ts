/** A player whose game is the driver of a kit in another language, killed when it crashes. */
import type { Driver, DriverSource } from '../../../clients/conformance/driver.js';
import type { GameStart, PlayedGame, Player } from './player.js';

export class DriverPlayer implements Player {
  readonly u: string;
  readonly #game: PlayedGame;
  readonly #drivers: DriverSource;
  readonly #folder: string;
  #driver: Driver | null = null;

  constructor(drivers: DriverSource, game: PlayedGame, u: string, folder: string) {
    this.#drivers = drivers;
    this.#game = game;
    this.u = u;
    this.#folder = folder;
  }

  async start(): Promise<GameStart> {
    await this.end();
    const driver = await this.#drivers.start();
    this.#driver = driver;
    const options = { ...this.#game, user: this.u, updates: 'none', storage: this.#folder };
    await driver.send({ command: 'create', options, wallMs: Date.now(), random: 0.5 });
    await driver.send({ command: 'start', waitMs: 60_000 });
    const shown = { id: 'shop', pointer: '/price', type: 'integer', default: '0' };
    const got = await driver.send({ command: 'get', ...shown });
    const { value, source } = got as { value: string; source: GameStart['source'] };
    const isHealthy = source !== 'default';
    if (isHealthy) {
      await driver.send({ command: 'ready' });
      await driver.send({ command: 'idle' });
    } else {
      await this.end();
    }
    return { isHealthy, source, price: Number(value) };
  }

  async end(): Promise<void> {
    await this.#driver?.kill();
    this.#driver = null;
  }
}
