/** What a driver does: one client, driven by commands as clients/conformance/README.md says. */
import { type Client, type ClientEvent, createClient, type Options } from '../src/client.js';
import type { Storage, Transport } from '../src/platform.js';
import { DriverClock } from './driver-clock.js';
import { DriverItems, type Items } from './driver-items.js';
import { ObservedTransport } from './observed-transport.js';
import { readValue } from './read-value.js';

// biome-ignore lint/suspicious/noExplicitAny: the runner sends what the table of commands says.
export type Command = Readonly<Record<string, any>> & { readonly command: string };

/** Where the driver runs. */
export interface Place {
  readonly transport: Transport;
  openItems(folder: string): Items;
}

export class Driver {
  readonly #place: Place;
  #transport: ObservedTransport;
  #clock = new DriverClock(0);
  #client: Client | null = null;
  #items: DriverItems | null = null;
  #watched: ClientEvent[] = [];
  #logged: string[] = [];
  #isThrowing = false;

  constructor(place: Place) {
    this.#place = place;
    this.#transport = new ObservedTransport(place.transport);
  }

  async obey(command: Command): Promise<unknown> {
    if (command.command === 'create') return this.#create(command);
    const own = await this.#obeyOwn(command);
    if (own !== undefined) return own;
    if (this.#client === null) throw new Error('There is no client.');
    const result = await this.#obeyClient(this.#client, command);
    // What a call leaves to do, such as writing a mark, is done.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return result;
  }

  async #create({ options, wallMs, random, seed }: Command): Promise<null> {
    await this.#client?.stop();
    this.#transport = new ObservedTransport(this.#place.transport);
    this.#clock = new DriverClock(wallMs ?? Date.now());
    this.#watched = [];
    this.#logged = [];
    this.#isThrowing = false;
    const { storage } = options;
    this.#items = storage === undefined ? null : new DriverItems(this.#place.openItems(storage));
    const { clock, ...rest } = { ...options } as Options;
    this.#client = createClient({
      ...rest,
      storage: this.#items as Storage | null,
      transport: this.#transport,
      clock: this.#clock,
      random: seed === undefined ? () => random ?? 0.5 : seededRandom(seed),
      log: (code) => {
        this.#logged.push(code);
        this.#throwIfWanted();
      },
    });
    this.#client.watch((event) => {
      this.#watched.push(event);
      this.#throwIfWanted();
    });
    return null;
  }

  /** @returns undefined: it is a command of the client */
  async #obeyOwn(command: Command): Promise<unknown> {
    const items = this.#items;
    switch (command.command) {
      case 'watched':
        return this.#watched.splice(0);
      case 'logged':
        return this.#logged.splice(0);
      case 'advance': {
        const { ms, patient = true } = command;
        const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
        await this.#clock.advance(ms, patient ? () => this.#transport.idle() : turn);
        return null;
      }
      case 'idle':
        await this.#transport.idle();
        return null;
      case 'setWall':
        this.#clock.moveWall(command['ms']);
        return null;
      case 'throwInListeners':
        this.#isThrowing = command['isOn'];
        return null;
      case 'items':
        return items?.names() ?? [];
      default:
        return items?.obey(command);
    }
  }

  async #obeyClient(client: Client, command: Command): Promise<unknown> {
    switch (command.command) {
      case 'start':
        return client.start(command['waitMs']);
      case 'get':
        return readValue(client, command);
      case 'activate':
        return client.activate();
      case 'ready':
        return client.ready() ?? null;
      case 'refresh':
        return client.refresh();
      case 'setUser':
        return client.setUser(command['user'], command['waitMs']);
      case 'setContext':
        return client.setContext(command['attributes']) ?? null;
      case 'expose':
        return client.expose(command['id']) ?? null;
      case 'track':
        return client.track(command['name'], command['value']) ?? null;
      case 'setConsent':
        return client.setConsent(command['isGiven']) ?? null;
      case 'flush':
        return (await client.flush()) ?? null;
      case 'suspend':
        return (await client.suspend()) ?? null;
      case 'resume':
        return client.resume() ?? null;
      case 'stop':
        return (await client.stop()) ?? null;
      default:
        throw new Error(`There is no command ${command.command}.`);
    }
  }

  #throwIfWanted(): void {
    if (this.#isThrowing) throw new Error('a listener of the game');
  }
}

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
