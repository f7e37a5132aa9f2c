/** The counts of both slices of a ramp, row by row. Pure. */
import type { Release } from '../../../contract/schemas/release.js';

type Counts = NonNullable<NonNullable<Release['ramp']>['counts']>;
type Slice = Counts['candidate'];

export interface CountRow {
  readonly title: string;
  readonly candidate: string;
  readonly control: string;
}

const figures: readonly (readonly [string, (slice: Slice) => string])[] = [
  ['Counted', ({ users }) => format(users)],
  ['Healthy start', ({ healthy, users }) => withShare(healthy, users)],
  ['Missing', ({ missing, users }) => withShare(missing, users)],
  ['reported a crash', ({ failed }) => format(failed)],
  ['Time not over yet', ({ waiting }) => format(waiting)],
  ['Networks', ({ networks }) => format(networks)],
];

export function countRows({ candidate, control }: Counts): CountRow[] {
  return figures.map(([title, figure]) => ({
    title,
    candidate: figure(candidate),
    control: figure(control),
  }));
}

function format(count: number): string {
  return count.toLocaleString('en');
}

function withShare(count: number, users: number): string {
  return users === 0 ? format(count) : `${format(count)} (${((count / users) * 100).toFixed(1)} %)`;
}
