/**
 * Kills the control process at random moments of imports, syncs and publishes, and looks what is left. Every content of
 * an environment carries the number of the write that made it, so that a half-done write shows as two numbers at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '../eventually.js';
import { type Answer, send } from '../wire/exchange.js';
import { type Environment, expectDone, makeEnvironment } from './environment.js';
import { childrenOf, isAlive } from './process-tree.js';
import { startServer } from './server.js';
import { type LoadoutServer, ownerToken } from './server-process.js';

export type KilledWrite = 'import' | 'sync' | 'publish';

export interface KillParts {
  readonly data: string;
  readonly listeners: number;
  /** From 0 to 1, with a seed that the test names: the moments of the kills come from it. */
  readonly random: () => number;
}

export interface KillCounts {
  /** Rounds in which the write was answered before the kill. */
  acknowledged: number;
  /** Rounds without an answer after which the write was there, and was not. */
  done: number;
  undone: number;
}

/** As many as one combined request may ask for: its answer is of one moment. */
const ids = Array.from({ length: 100 }, (_, index) => `content-${index}`);
/** Large enough that a write takes some time, so that kills meet it. */
const padding = 'x'.repeat(4_000);
/** Kills fall between the start of a write and a little after its usual end. */
const overshoot = 1.3;
const slower = 1.2;
const startTriesMax = 3;

export class KillRounds {
  readonly counts: KillCounts = { acknowledged: 0, done: 0, undone: 0 };
  readonly #parts: KillParts;
  /** How long each kind of write takes without a kill, milliseconds. */
  readonly #usualMs = new Map<KilledWrite, number>();
  #server: LoadoutServer;
  #dev: Environment;
  #live: Environment;
  /** The write that made what is in `dev`, in `live`, and the single content that is published by itself. */
  readonly #found = { import: 0, sync: 0, publish: 0 };
  #written = 0;

  private constructor(
    parts: KillParts,
    server: LoadoutServer,
    environments: readonly [dev: Environment, live: Environment],
  ) {
    this.#parts = parts;
    this.#server = server;
    [this.#dev, this.#live] = environments;
  }

  static async start(parts: KillParts): Promise<KillRounds> {
    const server = await startServer(parts);
    const environments = [await makeEnvironment(server), await makeEnvironment(server)] as const;
    const rounds = new KillRounds(parts, server, environments);
    // Twice: the first time workers start and files grow.
    for (const kind of ['import', 'sync', 'publish', 'import', 'sync', 'publish'] as const) {
      const wanted = await rounds.#prepare(kind);
      const startedMs = performance.now();
      expectDone(await rounds.#write(kind, wanted));
      rounds.#usualMs.set(kind, performance.now() - startedMs);
      rounds.#found[kind] = wanted;
    }
    return rounds;
  }

  /** One write, killed on its way; then a start on what is left, and a look at all of it. */
  async round(kind: KilledWrite): Promise<void> {
    const before = this.#found[kind];
    const wanted = await this.#prepare(kind);
    const children = childrenOf(this.#server.pid);
    const watches = [this.#watch(this.#dev), this.#watch(this.#live)];
    const answer = this.#write(kind, wanted).catch(() => null);
    await pause(this.#parts.random() * overshoot * (this.#usualMs.get(kind) ?? 0));
    this.#server.signal('SIGKILL');
    await this.#server.exit;
    const status = (await answer)?.status ?? null;
    await Promise.all(watches);
    await eventually('the children end', 10_000, () => !children.some(isAlive));

    this.#server = await startAgain(this.#parts);
    this.#dev = this.#dev.on(this.#server);
    this.#live = this.#live.on(this.#server);
    const found = await this.#look();
    // What was not written is as it was; what was, is there or is not; what was answered is there.
    const expected = { ...this.#found, [kind]: status === 200 ? wanted : found[kind] };
    expect(found).toEqual(expected);
    expect([before, wanted]).toContain(found[kind]);
    // The machine may be slower by now, or faster: the moments move along, so that kills keep meeting the write.
    const usualMs = this.#usualMs.get(kind) ?? 0;
    this.#usualMs.set(kind, usualMs * (status === 200 ? 1 / slower : slower));
    if (status === 200) this.counts.acknowledged += 1;
    else if (found[kind] === wanted) this.counts.done += 1;
    else this.counts.undone += 1;
    this.#found[kind] = found[kind];
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** What the write will bring about; a publish has its draft saved first. */
  async #prepare(kind: KilledWrite): Promise<number> {
    if (kind === 'sync') {
      // There must be something to bring over.
      if (this.#found.import === this.#found.sync) {
        this.#written += 1;
        expectDone(await this.#write('import', this.#written));
        this.#found.import = this.#written;
      }
      return this.#found.import;
    }
    this.#written += 1;
    if (kind === 'publish') {
      await this.#dev.put('single', textOf(this.#written), { publish: false });
    }
    return this.#written;
  }

  #write(kind: KilledWrite, number: number): Promise<Answer> {
    switch (kind) {
      case 'import':
        return this.#post(`${this.#dev.path}/import?mode=merge`, 'x-ndjson', fileOf(number));
      case 'sync':
        return this.#post(`${this.#live.path}/sync`, 'json', this.#wishToSync());
      case 'publish':
        return this.#post(`${this.#dev.path}/contents/single/publish`, 'json', '{}');
    }
  }

  #wishToSync(): string {
    return JSON.stringify({ from: this.#dev.id, ids: [...ids, `only-${this.#found.import}`] });
  }

  #post(path: string, type: string, body: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${ownerToken}`,
      'content-type': `application/${type}`,
    };
    return send(this.#server.adminUrl, path, { method: 'POST', headers, body });
  }

  /** Players read until the server is gone: no answer of theirs holds parts of two writes. */
  async #watch(environment: Environment): Promise<void> {
    for (;;) {
      let answer: Answer;
      try {
        answer = await environment.combine(ids);
      } catch {
        return;
      }
      if (answer.status === 200) numberOf(Object.values(answer.json));
    }
  }

  /** The number that everything of each write carries, in the store and on delivery. */
  async #look(): Promise<{ import: number; sync: number; publish: number }> {
    return {
      import: await this.#lookAt(this.#dev),
      sync: await this.#lookAt(this.#live),
      publish: (await this.#dev.plain('single')).json.number,
    };
  }

  async #lookAt(environment: Environment): Promise<number> {
    const delivered = numberOf(Object.values((await environment.combine(ids)).json));
    const exported = expectDone(await this.#server.admin('GET', `${environment.path}/export`));
    const contents = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind, id }) => kind === 'content' && id !== 'single');
    const texts = contents.map(({ lines }) => JSON.parse(lines[0].text));
    const [shared, only] = [texts.slice(0, ids.length), contents.slice(ids.length)];
    expect(numberOf(shared)).toBe(delivered);
    // Each write brings one content of its own, in the same moment as all the others.
    expect(only.map(({ id }) => id)).toContain(`only-${delivered}`);
    const catalog = Object.keys((await environment.catalog()).json.catalog);
    expect(catalog.filter((id) => id !== 'single')).toHaveLength(contents.length);
    return delivered;
  }
}

/**
 * A free port may be somebody else's by the time it is opened: with a hundred starts that happens, and says nothing
 * about what was killed.
 */
async function startAgain(parts: KillParts): Promise<LoadoutServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await startServer(parts);
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Cannot listen on');
      if (!taken || tries === startTriesMax) throw error;
    }
  }
}

/** All of them carry one number: they are of one write. */
function numberOf(contents: readonly unknown[]): number {
  const numbers = new Set(contents.map((content) => (content as { number: number }).number));
  expect([...numbers]).toHaveLength(1);
  return [...numbers][0] ?? 0;
}

function fileOf(number: number): string {
  const lines = [{ appVersion: '0.0.0', text: textOf(number) }];
  return [...ids, `only-${number}`]
    .map((id) => `${JSON.stringify({ kind: 'content', id, lines })}\n`)
    .join('');
}

function textOf(number: number): string {
  return JSON.stringify({ number, padding });
}
