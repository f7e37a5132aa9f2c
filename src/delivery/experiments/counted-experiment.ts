/** An experiment that runs: which users one delivery process has given its variants to. */
import { AssignedSketch } from '../../content/sketch/assigned-sketch.js';
import { encodeSketch } from '../../content/sketch/sketch-bytes.js';
import type { AssignedReport } from '../../published/barrier.js';
import type { PublishedExperiment } from '../../published/environment-settings.js';

/** Users of one day (UTC). */
class DayCounts {
  readonly day: string;
  /** All of the day, so that a user is news once. */
  readonly seen: AssignedSketch;
  /** What was not reported yet; null: nothing. */
  #news: AssignedSketch | null = null;

  constructor(day: string, variants: readonly string[]) {
    this.day = day;
    this.seen = new AssignedSketch(variants);
  }

  get bytes(): number {
    return this.seen.bytes + (this.#news?.bytes ?? 0);
  }

  get hasNews(): boolean {
    return this.#news !== null;
  }

  add(variant: number, high: number, low: number): void {
    if (!this.seen.add(variant, high, low)) return;
    this.#news ??= new AssignedSketch(this.seen.variants);
    this.#news.add(variant, high, low);
  }

  /** What was not reported yet, as bytes; null: nothing. */
  takeNews(): Uint8Array | null {
    const news = this.#news;
    if (news === null) return null;
    this.#news = null;
    news.raiseLevel(this.seen.level);
    return encodeSketch(news);
  }
}

export class CountedExperiment {
  readonly environment: string;
  readonly published: PublishedExperiment;
  /** It runs no longer: what it has counted is still to be reported. */
  isOver = false;
  #today: DayCounts | null = null;
  /** Days that are over and have something to report. */
  #ended: DayCounts[] = [];

  constructor(environment: string, published: PublishedExperiment) {
    this.environment = environment;
    this.published = published;
  }

  /** What its counts hold in memory, roughly. */
  get bytes(): number {
    return this.#ended.reduce((sum, { bytes }) => sum + bytes, this.#today?.bytes ?? 0);
  }

  /** Whether `begin` is due before a user can be counted. */
  get isIdle(): boolean {
    return this.#today === null;
  }

  /** @param day YYYY-MM-DD */
  begin(day: string): void {
    this.#today = new DayCounts(day, this.published.variants);
  }

  /** The day is over, or the clock was put back. */
  endDay(): void {
    if (this.#today?.hasNews) this.#ended.push(this.#today);
    this.#today = null;
  }

  /** Counts a user for a variant, by place, once the day has begun. */
  add(variant: number, high: number, low: number): void {
    this.#today?.add(variant, high, low);
  }

  /** Halves the sample of today. */
  halve(): void {
    const seen = this.#today?.seen;
    seen?.raiseLevel(seen.level + 1);
  }

  /** Hashes in the sample of today. */
  get sampled(): number {
    return this.#today?.seen.sampled ?? 0;
  }

  /** What was counted since this was asked last, by day. */
  takeReports(): AssignedReport[] {
    const days = this.#today === null ? this.#ended : [...this.#ended, this.#today];
    this.#ended = [];
    const { environment } = this;
    const { id: experiment, phase } = this.published;
    return days.flatMap((of) => {
      const news = of.takeNews();
      if (news === null) return [];
      const users = Buffer.from(news).toString('base64');
      return [{ environment, experiment, phase, day: of.day, users }];
    });
  }
}
