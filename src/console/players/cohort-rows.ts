/** Rows of a cohort: which are shown, where they lead, and the CSV of all. Pure. */
import { parseInstant } from '../../content/mapping/instant.js';
import { writeCsv } from '../../contract/players/csv.js';
import { pathOf } from '../parts/environments.js';
import { hashOf } from '../preview/contexts/asked-player.js';
import { contextOf } from '../preview/contexts/user-context.js';
import type { FoundPlayer } from './cohort-query.js';

export type CohortFilter = 'given' | 'not_known' | 'all';

export function filterPlayers(
  found: readonly FoundPlayer[],
  filter: CohortFilter,
): readonly FoundPlayer[] {
  if (filter === 'all') return found;
  if (filter === 'given') return found.filter(({ outcome }) => outcome === 'given');
  return found.filter(({ outcome }) => outcome === 'not_known' || outcome === 'rejected');
}

/** The Players screen of a player at the moment that the value was given first, else at the end. */
export function playerPath(
  environment: string,
  { listed, firstAt }: FoundPlayer,
  to: string,
): string {
  const last = new Date((parseInstant(to) ?? 0) - 1).toISOString();
  const { u, p, v } = contextOf(listed.source);
  return pathOf.players(environment) + hashOf({ user: { u, p, v }, at: firstAt ?? last });
}

const titles = ['u', 'outcome', 'firstAt', 'untilAt', 'givenSeconds', 'revision', 'release'];

export function cohortCsv(found: readonly FoundPlayer[]): string {
  const rows = found.map((player) => [
    ...[player.u, player.outcome, player.firstAt, player.untilAt, player.givenMs / 1000],
    ...[player.revision, player.release, player.notKnownMs / 1000, player.detail],
  ]);
  return writeCsv([[...titles, 'notKnownSeconds', 'detail'], ...rows]);
}

/** How long, in the two largest units: `2 h 5 min`. */
export function lastingOf(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}
