/** Several servers on one database, one environment that all of them serve, and what tests of a fleet ask each of them. */
import http from 'node:http';
import { eventually } from '../eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../server/environment.js';
import { makeDataFolder, startServer } from '../server/server.js';
import type { LoadoutServer, ServerOptions } from '../server/server-process.js';
import type { Answer } from '../wire/exchange.js';

export interface NodeOptions {
  readonly name: string;
  /** LOADOUT_DATABASE. */
  readonly url: string;
  /** Kept for a node that is started again; one of its own when left out. */
  readonly data?: string;
  readonly flags?: readonly string[];
  /** See `ServerOptions`. */
  readonly clockAheadMs?: number;
  /** `dist/loadout.js` of another build; this tree's when left out. */
  readonly program?: string;
}

/** One listener and one rendering thread: a test runs several servers on a machine of two cores. */
function nodeOptions(options: NodeOptions): ServerOptions {
  const { name, url, data, flags = [], program, clockAheadMs } = options;
  return {
    ...(program === undefined ? {} : { program }),
    ...(clockAheadMs === undefined ? {} : { clockAheadMs }),
    data: data ?? makeDataFolder(),
    listeners: 1,
    flags: [...['--database', url, '--node-name', name, '--workers', '1'], ...flags],
  };
}

export function startNode(options: NodeOptions): Promise<LoadoutServer> {
  return startServer(nodeOptions(options));
}

export interface FleetOptions {
  readonly url: string;
  readonly names?: readonly string[];
  /** Of all of them. */
  readonly flags?: readonly string[];
  /** Of one of them. */
  readonly urlOf?: (name: string) => string;
  /** Whether they start at the same moment; one after the other is easier on a busy machine. */
  readonly together?: boolean;
}

/** Content that every write gives the next number, so that what is older than something else can be told. */
export const counted = 'counter';

export function textOf(number: number): string {
  return JSON.stringify({ number });
}

export class TestFleet {
  readonly nodes: LoadoutServer[];
  /** Of the first node; `at` gives it as another one serves it. */
  readonly game: Environment;
  readonly #options: FleetOptions;
  readonly #names: readonly string[];
  #written = 0;

  private constructor(
    options: FleetOptions,
    names: readonly string[],
    nodes: LoadoutServer[],
    game: Environment,
  ) {
    this.#options = options;
    this.#names = names;
    this.nodes = nodes;
    this.game = game;
  }

  /** On a database that may be empty. They end with the test file. */
  static async start(options: FleetOptions): Promise<TestFleet> {
    const names = options.names ?? ['a', 'b', 'c'];
    const nodes = await startAll(options, names);
    const fleet = new TestFleet(options, names, nodes, await makeEnvironment(nodes[0] as never));
    await fleet.edit(0);
    await fleet.converged();
    return fleet;
  }

  get written(): number {
    return this.#written;
  }

  /** The environment as the node of that place in the list serves and edits it. */
  at(node: number): Environment {
    return this.game.on(this.node(node));
  }

  node(at: number): LoadoutServer {
    const node = this.nodes[at];
    if (node === undefined) throw new Error(`there is no node ${at}`);
    return node;
  }

  /** The next number, written through a node; its management's answer, accepted or refused. */
  tryEdit(at: number, query = ''): Promise<Answer> {
    this.#written += 1;
    const path = `${this.game.path}/contents/${counted}${query}`;
    return this.node(at).admin('PUT', path, { text: textOf(this.#written) });
  }

  /** The same, which must be accepted. */
  async edit(at: number, query = ''): Promise<{ number: number; sequence: number; hash: string }> {
    const { sequence, hash } = expectDone(await this.tryEdit(at, query)).json;
    return { number: this.#written, sequence, hash };
  }

  /** The number that a node serves. */
  async read(at: number, agent?: http.Agent): Promise<number> {
    const answer = await this.at(at).ask('POST', contentPath, {}, {}, agent);
    if (answer.status !== 200) throw new Error(`delivery said ${answer.status}: ${answer.text}`);
    return answer.json.number;
  }

  /** Resolves when an edit is accepted again; the number it wrote. */
  async editAgain(at: number, millisMax: number): Promise<number> {
    return eventually(`node ${at} takes edits`, millisMax, async () => {
      return (await this.tryEdit(at)).status === 200 ? this.#written : null;
    });
  }

  /** Resolves when every node serves the number. */
  async serveAll(number: number, millisMax = 10_000): Promise<void> {
    await Promise.all(
      this.nodes.map((_, at) =>
        eventually(`node ${at} serves ${number}`, millisMax, async () => {
          return (await this.read(at)) === number;
        }),
      ),
    );
  }

  /** Resolves when all nodes say that they serve the same sequence, and that the store answers; which it is. */
  async converged(millisMax = 15_000): Promise<number> {
    return eventually('all nodes serve the same sequence', millisMax, async () => {
      const all = await Promise.all(this.nodes.map((node) => ready(node)));
      const same = all.every(({ sequence }) => sequence === all[0]?.sequence);
      return same && all.every(({ store }) => store === 'available') ? all[0]?.sequence : null;
    });
  }

  /** Resolves when every node says that of the store. */
  async allSay(store: 'available' | 'unavailable', millisMax = 25_000): Promise<void> {
    await eventually(`all nodes say that the store is ${store}`, millisMax, async () => {
      const all = await Promise.all(this.nodes.map((node) => ready(node)));
      return all.every((said) => said.store === store);
    });
  }

  /** `kill -9` of the node; resolved when it is gone. */
  async kill(at: number): Promise<void> {
    this.node(at).signal('SIGKILL');
    await this.node(at).exit;
  }

  /** Starts a node that has ended on the data it left behind. */
  async startAgain(at: number, flags: readonly string[] = []): Promise<LoadoutServer> {
    const { data } = this.node(at);
    const options = optionsOf(this.#options, this.#names[at] ?? '');
    const node = await startNode({ ...options, data, flags: [...(options.flags ?? []), ...flags] });
    this.nodes[at] = node;
    return node;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

export const contentPath = `/api/v1/config/${counted}`;

export interface Ready {
  readonly status: number;
  readonly ready: boolean;
  readonly sequence: number;
  readonly store: 'available' | 'unavailable';
}

/** What a node's `/readyz` says. */
export async function ready(node: LoadoutServer): Promise<Ready> {
  const answer = await node.admin('GET', '/readyz');
  return { status: answer.status, ...answer.json };
}

/** One connection that is kept, as a balancer has it. */
export function keptConnection(): http.Agent {
  return new http.Agent({ keepAlive: true, maxSockets: 1 });
}

async function startAll(options: FleetOptions, names: readonly string[]): Promise<LoadoutServer[]> {
  if (options.together === true) {
    return Promise.all(names.map((name) => startNode(optionsOf(options, name))));
  }
  const nodes: LoadoutServer[] = [];
  for (const name of names) nodes.push(await startNode(optionsOf(options, name)));
  return nodes;
}

function optionsOf({ url, urlOf, flags = [] }: FleetOptions, name: string): NodeOptions {
  return { name, url: urlOf?.(name) ?? url, flags };
}
