/** A delivery process under everything at once: a small hot content, large ones that miss, edits that land. */
import type { Bench } from '../../bench.js';
import { gameContent } from '../../data/game-content.js';
import { benchContent } from '../../data/published-game.js';
import { standBack, stop } from '../../measure/child.js';
import { twelveRulesContent, variantSamples } from '../cold-variants.js';
import type { Server } from '../contenders/contender.js';
import { startServer } from '../contenders/start.js';
import { LoadProcess } from '../load/load-client.js';
import type { LoadSchema } from '../load/load-plan.js';
import { planOf } from './measure-run.js';
import { plainDefaults } from './scenario.js';
import { smallScenario } from './small-content.js';
import { type Entrant, Stage } from './stage.js';

/** Contents that are edited; nobody asks for them. */
const editedCount = 20;
const editedBytes = 10 * 1024;

export interface Edits {
  readonly landed: number;
  /** From the write to published.db until requests see it. */
  readonly millisecondsMax: number;
}

export class LiveGame {
  readonly #stage: Stage;
  readonly #entrant: Entrant;
  readonly #variantTable: string;
  readonly #loads: LoadProcess[] = [];
  /** Made beforehand: making one takes the load generators' core for longer than publishing it does. */
  readonly #drafts = Array.from({ length: editedCount }, (_, n) => gameContent(n, editedBytes));
  #server: Server | null = null;
  #edit = 0;

  static async create(name: string, bench: Bench): Promise<LiveGame> {
    const stage = new Stage(
      smallScenario(name, () => [twelveRulesContent()]),
      bench,
    );
    const entrant = await stage.enter('loadout', 'loadout', bench.builds[0]!);
    const variantTable = await stage.rehearseMore(entrant, variantSamples(twelveRulesContent()));
    return new LiveGame(stage, entrant, variantTable);
  }

  private constructor(stage: Stage, entrant: Entrant, variantTable: string) {
    this.#stage = stage;
    this.#entrant = entrant;
    this.#variantTable = variantTable;
  }

  /** A fresh server, its pool on the load generators' core; one that runs is ended first. */
  async restart(): Promise<Server> {
    await this.stop();
    this.#server = await startServer('loadout', { ...this.#entrant.input, poolAside: true });
    return this.#server;
  }

  /** A load process that asks for the small content, or for the variants of the large one. */
  async load(what: 'small' | 'variants', shape: LoadSchema): Promise<LoadProcess> {
    const load = new LoadProcess();
    this.#loads.push(load);
    if (what === 'variants') standBack(load.pid);
    const { tablePath } = this.#entrant.input;
    const requests =
      what === 'small'
        ? ({ kind: 'table', tablePath } as const)
        : ({ kind: 'variants', tablePath: this.#variantTable } as const);
    await load.plan(planOf(plainDefaults, this.#server?.port ?? 0, requests, shape));
    return load;
  }

  /** Publishes so many edits a second, evenly, until `until` resolves. */
  async edit(perSecond: number, until: Promise<unknown>): Promise<Edits> {
    let isOver = false;
    const over = until.then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    const startedAt = performance.now();
    let landed = 0;
    let millisecondsMax = 0;
    while (!isOver) {
      const writtenAt = performance.now();
      const number = this.#edit % editedCount;
      const id = `edited-${number}`;
      this.#edit += 1;
      const value = { edit: this.#edit, ...this.#drafts[number] };
      const sequence = this.#entrant.game.put([benchContent(id, value, [])]);
      await this.#server?.delivery?.publish(sequence);
      landed += 1;
      millisecondsMax = Math.max(millisecondsMax, performance.now() - writtenAt);
      const waitMs = startedAt + (landed * 1000) / perSecond - performance.now();
      await Promise.race([
        over,
        new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs))),
      ]);
    }
    return { landed, millisecondsMax };
  }

  async stop(): Promise<void> {
    for (const load of this.#loads.splice(0)) await load.end();
    if (this.#server !== null) await stop(this.#server.child);
    this.#server = null;
  }

  async close(): Promise<void> {
    await this.stop();
    this.#stage.close();
  }
}
