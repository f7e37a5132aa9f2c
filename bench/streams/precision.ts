/**
 * Question: are exactly those streams woken whose players get something else? Before and after each change every player is
 * asked for by a single request; what differs is held to what the streams were told.
 */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf } from '../../test/support/specification/held-contents.js';
import type { Bench, Cell, Finding, Question } from '../bench.js';
import { apiKey } from '../data/published-game.js';
import { askOnce } from '../http/race/ask-once.js';
import { headersOf } from '../http/race/scenario.js';
import { figureOf } from '../report/figures.js';
import { HeldCrew } from './held/held-crew.js';
import { contextOf } from './held/held-players.js';
import { offers, StreamStage } from './stream-stage.js';

const name = 'streams/precision';
const streams = 5_000;
const contents = 3;
const mark = 'mark';
const connections = 16;
const openMsMax = 120_000;
const toldMsMax = 30_000;
/** How far ahead a window begins: the streams are asked for before. */
const aheadMs = 15_000;
/** What the clock changes is told 2 to 3 s later; after so long, nobody else will be. */
const edgeMsMax = 5_000;

export const precision: readonly Question[] = [{ name, comparesBuilds: false, answer }];

const kinds = ['publish', 'step', 'segment', 'window', 'for nobody'] as const;
type Kind = (typeof kinds)[number];

/** Streams, by number. */
interface Outcome {
  readonly concerned: ReadonlySet<number>;
  readonly woken: ReadonlySet<number>;
}

async function answer(bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const stage = await StreamStage.start(build, { processes: 1, secure: false, contents });
  const { port } = stage;
  const crew = await HeldCrew.start({ port, secure: false, key: apiKey, ids: null, streams });
  const looking = new Looking(stage, crew);
  const outcomes = new Map<Kind, Outcome[]>(kinds.map((kind) => [kind, []]));
  try {
    await looking.start();
    for (let round = 0; round < bench.rounds; round += 1) {
      for (const kind of kinds) {
        bench.progress(`${name}: round ${round + 1} of ${bench.rounds}, ${kind}`);
        outcomes.get(kind)?.push(await looking.change(kind));
      }
    }
    if (crew.faults.length > 0) throw new Error(crew.faults.join('; '));
  } finally {
    looking.end();
    await crew.end();
    await stage.end();
  }
  return findingOf(outcomes);
}

class Looking {
  readonly #stage: StreamStage;
  readonly #crew: HeldCrew;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** Whoever has been told of the last one was told of all that came before. */
  #marks = 0;
  /** What the changes change. */
  #state = {
    sale: 0,
    groups: 9,
    cohorts: [40],
    windowCohort: 60,
    from: '2100-01-01T00:00:00Z',
    none: 0,
  };
  #answers: readonly string[] = [];

  constructor(stage: StreamStage, crew: HeldCrew) {
    this.#stage = stage;
    this.#crew = crew;
  }

  async start(): Promise<void> {
    await this.#stage.putSegment('vip', this.#vip());
    await this.#stage.put(mark, { text: '{"mark":0}' });
    await this.#stage.put(offers, { mapping: this.#mapping() });
    await this.#crew.hold(streams, openMsMax);
    this.#answers = await this.#ask();
  }

  end(): void {
    this.#agent.destroy();
  }

  /** Makes a change; with each, what one player in a hundred gets is another. */
  async change(kind: Kind): Promise<Outcome> {
    this.#crew.forgetWakes();
    await this.#make(kind);
    const before = this.#answers;
    this.#answers = await this.#ask();
    const differing = this.#answers.flatMap((each, stream) =>
      each === before[stream] ? [] : [stream],
    );
    const concerned = new Set(differing);
    // Whoever is not woken shows in the figures.
    await this.#crew
      .until('the streams are woken', toldMsMax, () => {
        const woken = this.#woken();
        return differing.every((stream) => woken.has(stream));
      })
      .catch(() => undefined);
    if (kind === 'window') await pause(edgeMsMax);
    await this.#told();
    return { concerned, woken: this.#woken() };
  }

  async #make(kind: Kind): Promise<void> {
    const state = this.#state;
    if (kind === 'publish') state.sale += 1;
    if (kind === 'step') state.groups += 10;
    if (kind === 'for nobody') state.none += 1;
    if (kind === 'segment') {
      state.cohorts.push(state.cohorts.length + 40);
      await this.#stage.putSegment('vip', this.#vip());
      return;
    }
    if (kind === 'window') {
      // The window before this one ends with the edit, which is not what is looked at here.
      state.windowCohort += 1;
      const atMs = Date.now() + aheadMs;
      state.from = new Date(atMs).toISOString();
      await this.#stage.put(offers, { mapping: this.#mapping() });
      this.#answers = await this.#ask();
      if (Date.now() > atMs) throw new Error('The window began before everybody was asked.');
      await this.#told();
      this.#crew.forgetWakes();
      await pause(atMs + 1 - Date.now());
      return;
    }
    await this.#stage.put(offers, { mapping: this.#mapping() });
  }

  /** Resolves when all streams have been told of what was changed so far. */
  async #told(): Promise<void> {
    this.#marks += 1;
    const sequence = await this.#stage.put(mark, { text: `{"mark":${this.#marks}}` });
    await this.#crew.until('all streams are told of the mark', toldMsMax, () => {
      return new Set(this.#since(sequence)).size === streams;
    });
  }

  #since(sequence: number): readonly number[] {
    return this.#crew.wakes
      .filter((wake) => wake.sequence >= sequence && wake.ids.includes(mark))
      .map(({ stream }) => stream);
  }

  /** Those that were told of something beside the mark, or of nothing at all. */
  #woken(): ReadonlySet<number> {
    const woken = this.#crew.wakes.filter(({ ids }) => ids.length !== 1 || ids[0] !== mark);
    return new Set(woken.map(({ stream }) => stream));
  }

  #vip(): unknown {
    return { cohort: { $in: this.#state.cohorts } };
  }

  #mapping(): readonly unknown[] {
    const { sale, groups, windowCohort, from, none } = this.#state;
    const variants = [{ name: 'on', groups: [0, groups], merge: { step: true } }];
    return [
      { segment: 'sale', when: { cohort: 7 }, merge: { sale } },
      { segment: 'step', when: {}, variants },
      { segment: 'vip', merge: { vip: true } },
      { segment: 'window', when: { cohort: windowCohort }, from, merge: { from } },
      { segment: 'nobody', when: { cohort: -1 }, merge: { none } },
    ];
  }

  /** What each player gets, data and rules. */
  async #ask(): Promise<readonly string[]> {
    const url = `${this.#stage.serve.deliveryUrl}/api/v1/config/${offers}/dynamic`;
    const headers = headersOf({ gzip: false });
    return Promise.all(
      Array.from({ length: streams }, async (_, stream) => {
        const body = JSON.stringify(contextOf(stream));
        const { status, text } = await askOnce(url, headers, body, { agent: this.#agent });
        if (status !== 200) throw new Error(`A single request was answered with ${status}.`);
        return answerOf(text);
      }),
    );
  }
}

function findingOf(outcomes: ReadonlyMap<Kind, readonly Outcome[]>): Finding {
  const both = ({ concerned, woken }: Outcome): number =>
    [...woken].filter((stream) => concerned.has(stream)).length;
  const sum = (all: readonly Outcome[], of: (outcome: Outcome) => number): number =>
    all.reduce((total, outcome) => total + of(outcome), 0);
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  const rows: Cell[][] = [];
  const figures = [];
  for (const [kind, all] of outcomes) {
    const [concerned, woken] = [sum(all, (o) => o.concerned.size), sum(all, (o) => o.woken.size)];
    const rightly = sum(all, both);
    const [precise, recalled] = [share(rightly, woken), share(rightly, concerned)];
    rows.push([kind, all.length, concerned, woken, precise, recalled]);
    figures.push(
      figureOf(kind, 'precision', 'share', 'higher', [precise]),
      figureOf(kind, 'recall', 'share', 'higher', [recalled]),
    );
  }
  return {
    question: name,
    columns: ['change', 'times', 'players concerned', 'streams woken', 'precision', 'recall'],
    rows,
    notes: [`${streams} streams; concerned: single requests of the player differ before and after`],
    figures,
  };
}
