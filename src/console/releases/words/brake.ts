/** The brake of a release for people. Pure. */
import type { Release, ReleaseBrake } from '../../../contract/schemas/release.js';
import { formatMinutes } from './steps.js';

export const defaultReceipts = { minutes: 10 } as const;

/** A sentence for each thing that trips the brake. */
export function brakeSentences(brake: ReleaseBrake | null): string[] {
  if (brake === null || (brake.receipts === null && brake.query === null)) {
    return ['No brake: only people stop it.'];
  }
  const verb = brake.action === 'stop' ? 'Stops' : 'Pauses';
  const sentences: string[] = [];
  if (brake.receipts !== null) {
    const { minutes } = brake.receipts;
    sentences.push(
      `${verb} when more players with the change than without it lack a healthy start after ${formatMinutes(minutes)}.`,
    );
  }
  if (brake.query !== null) {
    const { query, above, below, minutes, noData } = brake.query;
    const limit = above === undefined ? `below ${below}` : `above ${above}`;
    const time = minutes === 0 ? '' : ` for ${formatMinutes(minutes)}`;
    const missing = noData === 'bad' ? ' No data counts as bad.' : '';
    sentences.push(`${verb} when ${query} is ${limit}${time}.${missing}`);
  }
  return sentences;
}

/** Whether the last step leaves players without the change to compare with. */
export function hasNoControl(release: Pick<Release, 'steps' | 'brake'>): boolean {
  const last = release.steps.at(-1);
  return release.brake?.receipts != null && last !== undefined && last.percent === 100;
}

type Evidence = NonNullable<Release['ramp']>['evidence'];

/** How far the evidence has come on its way to the limit, 0 to 1: it multiplies, so the way is of its logarithm. */
export function evidenceShare(evidence: NonNullable<Evidence>): number {
  const { value, limit } = evidence;
  if (value <= 1 || limit <= 1) return 0;
  return Math.min(1, Math.log(value) / Math.log(limit));
}
