/**
 * Clients of the specification beside random edits. After each edit every client does one round, and then holds what the
 * server says now, and has fetched nothing in vain.
 */
import { Agent } from 'node:http';
import { makeEnvironment } from '../server/environment.js';
import type { RunningServer } from '../server/server-process.js';
import { contentHash } from '../xxhash.js';
import { type Caller, type CatalogEntry, type Server, SpecificationClient } from './client.js';
import { RandomEdits } from './random-edits.js';

export interface RoundsOptions {
  /** They serve one store; each edit and each client goes to one of them. */
  readonly servers: readonly RunningServer[];
  readonly random: () => number;
  readonly edits: number;
}

export interface RoundsFigures {
  readonly edits: Readonly<Record<string, number>>;
  /** Fetched since their hash was another one, or since they were new. */
  readonly fetched: number;
  /** Fetched since they are dynamic. */
  readonly fetchedDynamic: number;
  /** Compared with endpoint 1. */
  readonly compared: number;
  readonly seconds: number;
}

export interface Rounds {
  readonly figures: RoundsFigures;
  /** What a client of the contract may not see; the first of them. */
  readonly faults: readonly string[];
}

const faultsMax = 20;

/** Users who differ in all that a rule can ask for. */
function callers(): Caller[] {
  const countries = ['US', 'CA', 'DE', 'FR'];
  const versions = [undefined, '0.9.0', '1.4.9', '1.5.0', '2.0.0', '10.0.0'];
  const users = Array.from({ length: 18 }, (_, at): Caller => {
    const v = versions[at % versions.length];
    const p = { country: countries[at % countries.length], level: at * 3 };
    return { u: `user-${at}`, p, ...(v === undefined ? {} : { v }) };
  });
  return [...users, {}, { u: '', p: { level: 25 }, v: '1.9.9' }];
}

export async function specificationRounds(options: RoundsOptions): Promise<Rounds> {
  const { servers, random } = options;
  const startedMs = performance.now();
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const first = servers[0] as RunningServer;
  const game = await makeEnvironment(first);
  const edits = await RandomEdits.start(game, await makeEnvironment(first), random);
  const agents = new Map(servers.map((server) => [server, keptConnections()]));
  const reads = (minSequence?: number): Server => {
    const server = of(servers);
    return { game: game.on(server), agent: agents.get(server) as Agent, minSequence };
  };
  const clients = callers().map((caller) => new SpecificationClient(caller));
  const hashes = new Hashes();
  const faults: string[] = [];
  const kinds: Record<string, number> = {};
  let [fetched, fetchedDynamic, compared] = [0, 0, 0];
  let before = JSON.stringify(await edits.states());
  const { sequence } = (await first.admin('GET', '/readyz')).json;
  await Promise.all(clients.map((client) => client.round(reads(sequence))));

  for (let at = 0; at < options.edits && faults.length < faultsMax; at++) {
    // Either the edit waits until every server has it, or the readers name its number.
    const waits = random() < 0.5;
    const edit = await edits.make(of(servers), waits ? '?wait=fleet' : '');
    const minSequence = waits ? undefined : edit.sequence;
    kinds[edit.kind] = (kinds[edit.kind] ?? 0) + 1;
    const say = (what: string): number => faults.push(`edit ${at}, ${edit.kind}: ${what}`);

    const states = await edits.states();
    const now = JSON.stringify(states);
    const isSame = now === before;
    before = now;
    if (edit.isCosmetic && !isSame) say('delivers something else');
    const server = reads(minSequence);
    const least = minSequence === undefined ? {} : { 'x-min-sequence': String(minSequence) };
    const catalog: Record<string, CatalogEntry> = (await server.game.catalog(least)).json.catalog;
    const listed = Object.entries(catalog).map(([id, { d }]) => `${id} ${d}`);
    const expected = states.map(({ id, isMapped }) => `${id} ${isMapped}`);
    if (listed.sort().join() !== expected.sort().join()) say(`the catalog lists ${listed}`);
    for (const { id, json, isMapped, identity } of states) {
      const h = catalog[id]?.h ?? '';
      if (!isMapped && h !== contentHash(json)) say(`${id} has not the hash of its JSON`);
      const clash = hashes.clash(identity, h);
      if (clash !== null) say(`${id} ${clash}`);
    }

    await Promise.all(
      clients.map(async (client) => {
        const from = reads(minSequence);
        const round = await client.round(from);
        if (isSame && !round.notModified)
          say('the catalog is another one after an edit of nothing');
        for (const { id, dynamic, isChanged } of round.fetched) {
          if (dynamic) fetchedDynamic++;
          else fetched++;
          if (!dynamic && !isChanged) say(`${id} was fetched in vain`);
        }
        if (client.held.size !== states.length) say(`a client holds ${[...client.held.keys()]}`);
        await Promise.all(
          [...client.held].map(async ([id, { h, item }]) => {
            // Without a version a caller gets the highest line, whose hash is the catalog's.
            if (client.caller.v === undefined && (item === null || JSON.parse(item).hash !== h)) {
              say(`the catalog says ${h} of ${id}, the response ${item}`);
            }
            const told = await client.ask(reads(minSequence), id);
            compared++;
            if (told !== item) say(`a client keeps ${item} of ${id}; the server says ${told}`);
          }),
        );
      }),
    );
  }
  edits.close();
  for (const agent of agents.values()) agent.destroy();
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  return { figures: { edits: kinds, fetched, fetchedDynamic, compared, seconds }, faults };
}

function keptConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 8 });
}

/** One hash for each state, one state for each hash, whenever it is there. */
class Hashes {
  readonly #ofState = new Map<string, string>();
  readonly #ofHash = new Map<string, string>();

  clash(identity: string, h: string): string | null {
    const known = this.#ofState.get(identity);
    const other = this.#ofHash.get(h);
    this.#ofState.set(identity, h);
    this.#ofHash.set(h, identity);
    if (known !== undefined && known !== h)
      return 'has another hash than when it was the same before';
    if (other !== undefined && other !== identity) return 'has the hash of another state';
    return null;
  }
}
