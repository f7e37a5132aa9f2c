import type { MetricSums, PreSums } from '../../../src/analysis/messages.js';

/** What a metric knows of one user; see `MetricSums` and `PreSums`. */
export interface User {
  readonly x: number;
  readonly y?: number;
  /** The metric before the first exposure; left out without history. */
  readonly p?: number;
}

/** Adds up users, as the queries do. */
export class UserSums implements Omit<MetricSums, 'variant' | 'crossed'> {
  n = 0;
  sumX = 0;
  sumXX = 0;
  sumY = 0;
  sumYY = 0;
  sumXY = 0;
  readonly pre: { -readonly [Member in keyof PreSums]: number } = {
    ...{ sumH: 0, sumP: 0, sumPP: 0, sumXP: 0, sumXH: 0 },
  };

  add(x: number, y = 0, p: number | null = null): void {
    this.n += 1;
    this.sumX += x;
    this.sumXX += x * x;
    this.sumY += y;
    this.sumYY += y * y;
    this.sumXY += x * y;
    if (p === null) return;
    const { pre } = this;
    pre.sumH += 1;
    pre.sumP += p;
    pre.sumPP += p * p;
    pre.sumXP += x * p;
    pre.sumXH += x;
  }
}

export function sumsOf(users: readonly User[]): UserSums {
  const sums = new UserSums();
  for (const { x, y, p } of users) sums.add(x, y, p ?? null);
  return sums;
}
