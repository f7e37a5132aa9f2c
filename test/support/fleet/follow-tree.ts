/** Servers in three levels: one with a store, one that follows it, one that follows that one; each a real `loadout serve`. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFollowToken } from '../../../src/management/follow/accepted-tokens.js';
import { eventually } from '../eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../server/environment.js';
import type { MovingClock } from '../server/moving-clock.js';
import { makeDataFolder, startServer } from '../server/server.js';
import type { LoadoutServer } from '../server/server-process.js';
import { contentPath, counted, startNode, textOf } from './fleet.js';

/** The two sides of a token: what the parent accepts, and what the follower has. */
export class FollowToken {
  readonly tokenFile: string;
  readonly acceptFile: string;
  readonly token: string;
  readonly line: string;

  constructor(name = 'region') {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
    const { token, line } = makeFollowToken(name);
    this.token = token;
    this.line = line;
    this.tokenFile = join(folder, 'token');
    this.acceptFile = join(folder, 'accept');
    writeFileSync(this.tokenFile, `${token}\n`);
    this.accept();
  }

  accept(): void {
    writeFileSync(this.acceptFile, `# regions\n${this.line}\n`);
  }

  revoke(): void {
    writeFileSync(this.acceptFile, '# regions\n');
  }
}

export interface FollowerOptions {
  readonly name: string;
  /** Origins of the parents, the preferred one first. */
  readonly parents: readonly string[];
  readonly token: FollowToken;
  /** Kept for one that is started again; one of its own when left out. */
  readonly data?: string;
  /** Of its own follow port; 0 or left out: any. */
  readonly followPort?: number;
  readonly flags?: readonly string[];
  readonly clock?: MovingClock;
  /** `dist/loadout.js` of another version; this one's when left out. */
  readonly program?: string;
}

/** The flags of a server that may be followed. */
export function followedFlags(token: FollowToken, port = 0): string[] {
  return ['--follow-port', String(port), '--follow-accept', token.acceptFile];
}

export function startFollower(options: FollowerOptions): Promise<LoadoutServer> {
  const { name, parents, token, data, followPort = 0, flags = [], clock, program } = options;
  return startServer({
    ...(clock && { clock }),
    ...(program && { program }),
    data: data ?? makeDataFolder(),
    listeners: 1,
    flags: [
      ...['--follow', parents.join(','), '--follow-token-file', token.tokenFile],
      ...['--events-to', 'off', '--node-name', name, '--workers', '1'],
      ...followedFlags(token, followPort),
      ...flags,
    ],
  });
}

export interface TreeOptions {
  /** Of all servers of the tree. */
  readonly flags?: readonly string[];
  /** With an embedded store: a database has a clock of its own. */
  readonly clock?: MovingClock;
  /** `dist/loadout.js` of another version, for a follower that is of it. */
  readonly programs?: Partial<Readonly<Record<'middle' | 'leaf', string>>>;
}

/** A server with a store, one that follows it, and one that follows that one; the environment is the first one's. */
export class FollowTree {
  readonly token: FollowToken;
  readonly game: Environment;
  readonly root: LoadoutServer;
  middle: LoadoutServer;
  leaf: LoadoutServer;
  #written = 0;

  private constructor(
    token: FollowToken,
    game: Environment,
    [root, middle, leaf]: readonly [LoadoutServer, LoadoutServer, LoadoutServer],
  ) {
    this.token = token;
    this.game = game;
    this.root = root;
    this.middle = middle;
    this.leaf = leaf;
  }

  /**
   * @param database of the first one; null: it has an embedded store
   * @param parentOf where a server follows the one that has that address; that address itself when left out
   */
  static async start(
    database: string | null,
    parentOf: (name: 'middle' | 'leaf', url: string) => Promise<string[]> = async (_, url) => [url],
    options: TreeOptions = {},
  ): Promise<FollowTree> {
    const token = new FollowToken();
    const root = await startRoot(database, token, options);
    const game = await makeEnvironment(root);
    const { programs = {}, ...common } = options;
    const follow = async (name: 'middle' | 'leaf', url: string): Promise<LoadoutServer> => {
      const [program, parents] = [programs[name], await parentOf(name, url)];
      return startFollower({ ...common, name, token, parents, ...(program && { program }) });
    };
    const middle = await follow('middle', root.followUrl);
    const leaf = await follow('leaf', middle.followUrl);
    const tree = new FollowTree(token, game, [root, middle, leaf]);
    await tree.edit();
    await tree.served();
    return tree;
  }

  get written(): number {
    return this.#written;
  }

  /** The next number, written at the root. */
  async edit(query = ''): Promise<{ readonly sequence: number; readonly fleet: FleetJson }> {
    this.#written += 1;
    const path = `${this.game.path}/contents/${counted}${query}`;
    return expectDone(await this.root.admin('PUT', path, { text: textOf(this.#written) })).json;
  }

  /** The number that a server serves; -1: none yet. */
  async read(server: LoadoutServer): Promise<number> {
    const answer = await this.game.on(server).ask('POST', contentPath, {});
    return answer.status === 404 ? -1 : expectDone(answer).json.number;
  }

  /** Resolves when all serve what was written last. */
  async served(millisMax = 20_000): Promise<void> {
    for (const server of [this.root, this.middle, this.leaf]) {
      await eventually('all servers of the tree serve the last edit', millisMax, async () => {
        return (await this.read(server)) === this.#written;
      });
    }
  }

  /** Resolves when an edit waits for both followers again. */
  async waited(): Promise<void> {
    await eventually('the root waits for its tree', 30_000, async () => {
      const { fleet } = await this.edit('?wait=fleet');
      return fleet.missing.length === 0 && fleet.acknowledged === 2;
    });
  }

  async stop(): Promise<void> {
    for (const server of [this.leaf, this.middle, this.root]) await server.stop();
  }
}

function startRoot(
  database: string | null,
  token: FollowToken,
  { flags = [], clock }: TreeOptions,
): Promise<LoadoutServer> {
  const all = [...followedFlags(token), ...flags];
  if (database !== null) return startNode({ name: 'root', url: database, flags: all });
  return startServer({
    ...(clock && { clock }),
    data: makeDataFolder(),
    listeners: 1,
    flags: ['--node-name', 'root', '--workers', '1', ...all],
  });
}

export interface FleetJson {
  readonly acknowledged: number;
  readonly missing: readonly { readonly name: string; readonly behindBelow?: string[] }[];
}
