/** One run of a scenario: its game on the server, the proxy before it, its driver, and what was seen so far. */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Command, Driver } from './driver.js';
import { Values } from './expectation.js';
import type { Target } from './fault.js';
import { FaultProxy, type Seen } from './fault-proxy.js';
import { GameEnvironment, type ServerUnderTest } from './game-environment.js';

export interface RunPlace {
  readonly server: ServerUnderTest;
  /** Of this run alone. */
  readonly folder: string;
  readonly startDriver: () => Promise<Driver>;
}

interface Address {
  readonly url: string;
  readonly key: string;
}

export class Run {
  readonly values = new Values();
  readonly environment: GameEnvironment;
  readonly proxy: FaultProxy;
  driver: Driver;
  /** Whose items `readItem` and the like mean. */
  user = '';
  /** Of the last `create`: with the user, the items of a player go by it. */
  address: Address;
  /** What `watch` was called with, and what was logged, since a step last expected it. */
  readonly watched: unknown[] = [];
  readonly logged: unknown[] = [];
  /** Results of calls that were begun, by name. */
  readonly begun = new Map<string, Promise<unknown>>();
  readonly #startDriver: () => Promise<Driver>;
  readonly #storage: string;
  readonly #expected = new Set<Seen>();

  static async begin(place: RunPlace): Promise<Run> {
    const environment = await GameEnvironment.make(place.server);
    const proxy = await FaultProxy.start(place.server.deliveryUrl);
    try {
      return new Run(place, environment, proxy, await place.startDriver());
    } catch (fault) {
      proxy.close();
      throw fault;
    }
  }

  private constructor(
    { folder, startDriver }: RunPlace,
    environment: GameEnvironment,
    proxy: FaultProxy,
    driver: Driver,
  ) {
    this.environment = environment;
    this.proxy = proxy;
    this.driver = driver;
    this.address = { url: proxy.url, key: environment.key };
    this.#startDriver = startDriver;
    this.#storage = join(folder, 'storage');
    this.values.keep('now', new Date());
    this.values.keep('elsewhere', proxy.elsewhere);
    this.values.keep('key', environment.key);
  }

  send(command: string, members: Omit<Command, 'command'> = {}): Promise<unknown> {
    return this.driver.send({ ...members, command });
  }

  /** The options of a step with what it leaves to the run. */
  options(given: Readonly<Record<string, unknown>>): Address & Readonly<Record<string, unknown>> {
    const { storage, ...options } = given;
    return {
      url: this.proxy.url,
      key: this.environment.key,
      ...options,
      ...(storage === null ? {} : { storage: this.#storage }),
    };
  }

  async killDriver(): Promise<void> {
    await this.driver.kill();
    this.driver = await this.#startDriver();
  }

  /** The name of an item of a player. */
  itemName(item: string, user = this.user): string {
    if (item === 'index') return 'loadout-index';
    const { url, key } = this.address;
    const player = crc32(`${url}\n${key}\n${user}`).toString(16).padStart(8, '0');
    return `loadout-${player}-${item}`;
  }

  /** Requests to `on` which no step has expected yet. */
  unexpected(on: Target | 'any'): readonly Seen[] {
    return this.proxy.seen.filter(
      (each) => !this.#expected.has(each) && (on === 'any' || on === each.on),
    );
  }

  expected(requests: readonly Seen[]): void {
    for (const each of requests) this.#expected.add(each);
  }
}
