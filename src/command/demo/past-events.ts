/**
 * What the demo's made-up players have done since its experiments started: event files of each day, as delivery processes would
 * have left them, and who was given which variant. Later events come through the server itself.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bucketOf, uidOf } from '../../content/bucket.js';
import type { Experiment } from '../../contract/schemas/experiment.js';
import { SeededRandom } from '../../management/evaluation/made-up/seeded-random.js';
import { eventFileName, sealedEventsFolder } from '../../published/event-files.js';
import type { EventLine } from '../../published/event-line.js';
import { type Behaviour, type DemoExperiment, percentOf } from './demo-experiments.js';
import { attributesOf } from './player-attributes.js';

/** A player of an experiment who was given a variant. */
export interface PastPlayer {
  readonly u: string;
  readonly variant: string;
  /** Of the first time, milliseconds since the epoch. */
  readonly atMs: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Events reach the server some seconds after they happened. */
const delayMs = 4_000;
/** Players that the demo plays live, too, are numbered below this. */
const firstPlayer = 10_000;

interface PastOptions {
  readonly environment: string;
  readonly experiment: Experiment;
  readonly behaviour: DemoExperiment;
  readonly nowMs: number;
}

export class PastEvents {
  readonly players: PastPlayer[] = [];
  readonly lines: EventLine[] = [];
  readonly #options: PastOptions;
  readonly #random: SeededRandom;
  #events = 0;

  constructor(options: PastOptions) {
    const { experiment, behaviour, nowMs } = options;
    this.#options = options;
    // The same players do the same in every demo.
    this.#random = new SeededRandom(uidOf(experiment.id));
    const startMs = Date.parse(experiment.startedAt ?? '');
    const count = Math.floor(((nowMs - startMs) / dayMs) * behaviour.playersPerDay);
    for (let number = 0; number < count; number += 1) {
      const u = `player-${firstPlayer + this.#random.below(firstPlayer * 1_000)}`;
      this.#play(u, startMs + this.#random.below(nowMs - startMs));
    }
  }

  #play(u: string, atMs: number): void {
    const { experiment, behaviour } = this.#options;
    const bucket = bucketOf(experiment.salt, { u, mod: uidOf(u) % 1_000 });
    const variant = experiment.variants.find(
      ({ groups: [from, to] }) => from <= bucket && bucket <= to,
    )?.name;
    if (variant === undefined) return;
    this.players.push({ u, variant, atMs });
    const isLost = this.#random.below(100) < (behaviour.lostPercent?.[variant] ?? 0);
    if (!isLost) this.#expose(u, variant, atMs);
    for (const one of behaviour.behaviours) this.#behave(u, variant, atMs, one);
  }

  #expose(u: string, variant: string, at: number): void {
    const { content, segment } = this.#options.experiment;
    const seg = [{ n: segment, v: variant }];
    this.#take(u, { t: 'exposure', id: content, seg, at, eid: this.#nextId() });
  }

  #behave(u: string, variant: string, atMs: number, behaviour: Behaviour): void {
    const { event, values, afterMinutes, beforePercent = 0 } = behaviour;
    if (this.#random.below(100) >= percentOf(behaviour, variant)) return;
    const send = (at: number): void => {
      const x = this.#random.pick(values);
      this.#take(u, { t: 'metric', n: event, x, at, eid: this.#nextId() });
    };
    const [from, to] = afterMinutes;
    send(atMs + (from + this.#random.below(to - from)) * minuteMs);
    if (this.#random.below(100) < beforePercent) {
      send(atMs - dayMs - this.#random.below(5 * dayMs));
    }
  }

  #take(u: string, e: EventLine['e']): void {
    const { environment, nowMs } = this.#options;
    const r = e.at + delayMs;
    if (r < nowMs) this.lines.push({ r, env: environment, u, k: 0, e, p: { ...attributesOf(u) } });
  }

  #nextId(): string {
    this.#events += 1;
    return `${this.#options.experiment.id}-${this.#events}`;
  }
}

/** Leaves the lines as sealed files, one for each day. */
export function writeEventFiles(eventsFolder: string, lines: readonly EventLine[]): void {
  const folder = sealedEventsFolder(eventsFolder);
  mkdirSync(folder, { recursive: true });
  const days = new Map<number, EventLine[]>();
  for (const line of lines) {
    const day = Math.floor(line.r / dayMs);
    const ofDay = days.get(day);
    if (ofDay === undefined) days.set(day, [line]);
    else ofDay.push(line);
  }
  for (const [day, ofDay] of days) {
    const sorted = ofDay.toSorted((one, other) => one.r - other.r);
    const text = sorted.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(folder, eventFileName(process.pid, day * dayMs, 0)), text);
  }
}
