/** Servers on one PostgreSQL that Prometheus scrapes and a small load asks, for drills that stop, restart and cut them off. */
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer, ServerOptions } from '../support/server/server-process.js';
import { Prometheus } from './prometheus.js';
import { SteadyLoad } from './steady-load.js';

export interface DrilledNode extends Pick<ServerOptions, 'clock' | 'data'> {
  /** LOADOUT_DATABASE. */
  readonly url: string;
  readonly flags?: readonly string[];
}

export class DrilledFleet {
  readonly prometheus: Prometheus;
  readonly #nodes = new Map<
    string,
    { readonly node: DrilledNode; readonly server: LoadoutServer }
  >();
  #game: Environment | undefined;
  #load: SteadyLoad | undefined;

  static async start(nodes: Readonly<Record<string, DrilledNode>>): Promise<DrilledFleet> {
    const fleet = new DrilledFleet(await Prometheus.start());
    for (const [name, node] of Object.entries(nodes)) await fleet.begin(name, node);
    const [first = ''] = Object.keys(nodes);
    const game = await makeEnvironment(fleet.server(first));
    await game.put('shop', '{"price":0}');
    // On pages of its own in published.db, which an edit of something else does not write again.
    await game.put('other', JSON.stringify(`${'-'.repeat(20_000)} what is in other`));
    // Events are taken where there is a metric.
    const metric = { kind: 'sum', event: 'sale' };
    expectDone(await fleet.server(first).admin('PUT', `${game.path}/metrics/sales`, metric));
    fleet.#game = game;
    fleet.#load = new SteadyLoad(game, () => fleet.servers.map((server) => ({ server })));
    await fleet.prometheus.scraped();
    return fleet;
  }

  private constructor(prometheus: Prometheus) {
    this.prometheus = prometheus;
  }

  get servers(): LoadoutServer[] {
    return [...this.#nodes.values()].map(({ server }) => server);
  }

  get game(): Environment {
    if (this.#game === undefined) throw new Error('there is no game yet');
    return this.#game;
  }

  server(name: string): LoadoutServer {
    const found = this.#nodes.get(name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found.server;
  }

  /** Starts a node, on the ports and the data of the one of that name if there was one. */
  async begin(name: string, node: DrilledNode): Promise<LoadoutServer> {
    const before = this.#nodes.get(name)?.server;
    const ports =
      before === undefined ? {} : { port: before.deliveryPort, adminPort: before.adminPort };
    const server = await startServer({
      ...ports,
      data: node.data ?? before?.data ?? makeDataFolder(),
      ...(node.clock === undefined ? {} : { clock: node.clock }),
      listeners: 1,
      flags: [
        ...['--database', node.url, '--node-name', name, '--workers', '1'],
        ...['--events-to', 'postgres', '--events-store-seconds', '5', ...(node.flags ?? [])],
      ],
    });
    this.#nodes.set(name, { node, server });
    this.prometheus.target(name, server.adminUrl);
    return server;
  }

  /** Starts a node that has ended as it was. */
  async startAgain(name: string): Promise<LoadoutServer> {
    const found = this.#nodes.get(name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return this.begin(name, found.node);
  }

  /** Stops a node and starts it with something else. */
  async restart(name: string, change: Partial<DrilledNode> = {}): Promise<void> {
    const found = this.#nodes.get(name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    // No fault that is played: on a busy machine it takes longer than a minute of the rules, scaled.
    this.prometheus.target(name, null);
    await found.server.stop();
    await this.begin(name, { ...found.node, ...change });
    await this.prometheus.scraped();
  }

  async kill(name: string): Promise<void> {
    const server = this.server(name);
    server.signal('SIGKILL');
    await server.exit;
  }

  /** It is no part of the fleet any more. */
  async remove(name: string): Promise<void> {
    const server = this.server(name);
    this.#nodes.delete(name);
    this.prometheus.target(name, null);
    await server.stop();
  }

  async stop(): Promise<void> {
    await this.#load?.stop();
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.prometheus.stop();
  }
}
