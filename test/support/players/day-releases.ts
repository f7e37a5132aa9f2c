/** Releases and experiments of a recorded day: each edit takes the one at hand a transition further. */
import type { ReleaseState } from '../../../src/contract/schemas/release.js';
import { eventually } from '../eventually.js';
import type { Environment } from '../server/environment.js';
import { type Act, endHolds } from '../server/release.js';
import type { LoadoutServer } from '../server/server-process.js';
import { draftChanges, type Edit, edit, Rejected } from './day-edits.js';
import { type DayTexts, experimentRule, testedItem } from './day-texts.js';

const steps = [20, 50, 80, 100].map((percent) => ({ percent, holdMinutes: 600 }));
const settleMsMax = 30_000;

/** By state, as often as they are to be drawn. */
const possible: Partial<Record<ReleaseState, readonly (Act | 'step' | 'schedule')[]>> = {
  draft: ['start', 'start', 'start', 'live', 'schedule'],
  ramping: ['step', 'step', 'step', 'pause', 'stop', 'live'],
  paused: ['resume', 'resume', 'stop', 'live'],
  stopped: ['submit'],
  approved: ['start'],
  live: ['revert'],
};

export class DayReleases {
  readonly #game: Environment;
  readonly #server: LoadoutServer;
  readonly #database: string | null;
  readonly #texts: DayTexts;
  #number: number | null = null;

  /** @param database url; null: the embedded store of the server */
  constructor(game: Environment, server: LoadoutServer, database: string | null, texts: DayTexts) {
    this.#game = game;
    this.#server = server;
    this.#database = database;
    this.#texts = texts;
  }

  /** Does something that the release's state lets it do. Resolves with what it was, and its sequence. */
  async move(): Promise<{ readonly kind: string; readonly sequence: number | undefined }> {
    const state: ReleaseState | null = this.#number === null ? null : (await this.#show()).state;
    const acts = state === null ? undefined : possible[state];
    const isOver = acts === undefined || (state === 'live' && this.#texts.happens(0.5));
    if (isOver) return { kind: 'a release made', sequence: await this.#make() };
    const act = this.#texts.pick(acts);
    const kind = `release: ${act}`;
    if (act === 'step') return { kind, sequence: await this.#step() };
    if (act === 'schedule') return { kind, sequence: await this.#schedule() };
    try {
      const { sequence } = await edit(this.#game, 'POST', `${this.#path}/${act}`);
      return { kind, sequence: sequence ?? undefined };
    } catch (fault) {
      // What is live has moved on: no revert and no start will do any longer.
      if (fault instanceof Rejected && state !== 'ramping' && state !== 'paused') {
        this.#number = null;
      }
      throw fault;
    }
  }

  get #path(): string {
    return `/releases/${this.#number}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a release as the admin API shows it.
  async #show(): Promise<any> {
    return edit(this.#game, 'GET', this.#path);
  }

  async #make(): Promise<undefined> {
    const changes = await draftChanges(this.#game, this.#texts);
    const body = { title: 'A day', changes, steps };
    this.#number = (await edit(this.#game, 'POST', '/releases', body)).release;
  }

  async #step(): Promise<number | undefined> {
    const before = await this.#show();
    await endHolds(this.#server, this.#database);
    return this.#moved(before);
  }

  async #schedule(): Promise<number | undefined> {
    const before = await this.#show();
    const at = new Date(Date.now() + 1_000).toISOString();
    await edit(this.#game, 'POST', `${this.#path}/schedule`, { at });
    return this.#moved({ ...before, state: 'scheduled' });
  }

  /** The leader has moved it on by itself. */
  async #moved(before: {
    readonly state: string;
    readonly percent: number | null;
  }): Promise<number | undefined> {
    let now = before;
    await eventually(`release ${this.#number} moves on`, settleMsMax, async () => {
      now = await this.#show();
      return now.state !== before.state || now.percent !== before.percent;
    });
    return (await this.#show()).sequence ?? undefined;
  }
}

type ExperimentStep = 'start' | 'stop' | 'start again' | 'stop again' | 'decide';
const experimentSteps: readonly ExperimentStep[] = [
  ...(['start', 'stop', 'start again', 'stop again', 'decide'] as const),
];

export class DayExperiments {
  readonly #game: Environment;
  #count = 0;
  #next = 0;
  /** Id of the experiment that runs. */
  running: string | null = null;

  constructor(game: Environment) {
    this.#game = game;
  }

  get kind(): string {
    return `experiment: ${experimentSteps[this.#next]}`;
  }

  /** Starts, stops and decides one experiment after the other, all of the same rule. */
  readonly move: Edit = async () => {
    const step = experimentSteps[this.#next];
    if (step === 'start') {
      this.#count += 1;
      const record = { content: testedItem, segment: experimentRule.segment, control: 'control' };
      await edit(this.#game, 'POST', '/experiments', { id: this.#id, ...record });
    }
    const body = step === 'decide' ? { variant: null } : {};
    const act = step?.split(' ')[0];
    const done = await edit(this.#game, 'POST', `/experiments/${this.#id}/${act}`, body);
    if (act === 'start') this.running = this.#id;
    else this.running = null;
    if (step === 'decide' && done.release !== null) {
      await edit(this.#game, 'POST', `/releases/${done.release}/cancel`);
    }
    this.#next = (this.#next + 1) % experimentSteps.length;
    return done.sequence ?? undefined;
  };

  get #id(): string {
    return `prices-${this.#count}`;
  }
}
