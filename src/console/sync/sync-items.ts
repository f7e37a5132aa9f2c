/** What a dry run found, as a list to choose from: one item for each content of either side. Pure. */
import type { SyncedContent, SyncedSegment, SyncReport } from '../../contract/operations/sync.js';

export type SyncItemKind = 'added' | 'changed' | 'unchanged' | 'only-here';

export interface SyncItem {
  readonly id: string;
  readonly kind: SyncItemKind;
  /** Null: there is nothing to bring. */
  readonly change: SyncedContent | null;
}

export const syncFilters = [
  'changes',
  'added',
  'changed',
  'conflicts',
  'unchanged',
  'only-here',
] as const;
export type SyncFilter = (typeof syncFilters)[number];

/** By id. */
export function syncItems(report: SyncReport): SyncItem[] {
  const items: SyncItem[] = [
    ...report.added.map((change) => ({ id: change.id, kind: 'added' as const, change })),
    ...report.changed.map((change) => ({ id: change.id, kind: 'changed' as const, change })),
    ...report.unchanged.map((id) => ({ id, kind: 'unchanged' as const, change: null })),
    ...report.onlyHere.map((id) => ({ id, kind: 'only-here' as const, change: null })),
  ];
  return items.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

export function passes({ kind, change }: SyncItem, filter: SyncFilter): boolean {
  switch (filter) {
    case 'changes':
      return change !== null;
    case 'conflicts':
      return change?.conflict === true;
    case 'added':
    case 'changed':
    case 'unchanged':
    case 'only-here':
      return kind === filter;
  }
}

export function countByFilter(items: readonly SyncItem[]): Readonly<Record<SyncFilter, number>> {
  const counts = { changes: 0, added: 0, changed: 0, conflicts: 0, unchanged: 0, 'only-here': 0 };
  for (const item of items) {
    for (const filter of syncFilters) if (passes(item, filter)) counts[filter] += 1;
  }
  return counts;
}

/** All that changes, but nothing that would cover an edit made in the target: that is for people to decide. */
export function proposedChoice(items: readonly SyncItem[]): Set<string> {
  const chosen = new Set<string>();
  for (const { id, change } of items) if (change !== null && !change.conflict) chosen.add(id);
  return chosen;
}

/** What of a choice can still be brought, after another dry run. */
export function keptChoice(chosen: ReadonlySet<string>, items: readonly SyncItem[]): Set<string> {
  const kept = new Set<string>();
  for (const { id, change } of items) if (change !== null && chosen.has(id)) kept.add(id);
  return kept;
}

/** The saved segments that the chosen contents bring along. */
export function segmentsOf(
  report: SyncReport,
  chosen: ReadonlySet<string>,
): readonly SyncedSegment[] {
  const names = new Set<string>();
  for (const change of [...report.added, ...report.changed]) {
    if (chosen.has(change.id)) for (const { name } of change.segments) names.add(name);
  }
  return report.segments.filter(({ name }) => names.has(name));
}

/** Which of those that somebody looked at and chose would be brought differently by now: ids of contents, names of segments. */
export function movedSince(looked: SyncReport, now: SyncReport): string[] {
  const before = new Map<string, string>();
  for (const change of [...looked.added, ...looked.changed])
    before.set(change.id, traitsOf(change));
  const moved = [...now.added, ...now.changed]
    .filter((change) => before.get(change.id) !== traitsOf(change))
    .map(({ id }) => id);
  const segments = new Map(looked.segments.map((segment) => [segment.name, conditionsOf(segment)]));
  for (const segment of now.segments) {
    if (segments.get(segment.name) !== conditionsOf(segment)) moved.push(segment.name);
  }
  return moved;
}

/** Revisions never change; how many of the differences are listed depends on how many contents are looked at. */
function traitsOf({ lines: _lines, ...traits }: SyncedContent): string {
  return JSON.stringify(traits);
}

function conditionsOf({ before, after }: SyncedSegment): string {
  return JSON.stringify([before, after]);
}

/** "2 lines, mapping changed, tags", in the order in which they matter. */
export function changeWords({
  lines,
  mapping,
  about,
  segments,
  toRevision,
}: SyncedContent): string {
  const isNew = toRevision === null;
  const words: string[] = [];
  if (lines.length > 0) {
    const count = lines.length === 1 ? '1 line' : `${lines.length} lines`;
    words.push(lines.every(isComment) ? `${count} (comments only)` : count);
  }
  if (mapping !== 'same') words.push(isNew ? 'a mapping' : `mapping ${mapping}`);
  if (!isNew) words.push(...about);
  if (segments.length > 0) {
    const names = segments.map(({ name }) => name);
    words.push(
      names.length > 2 ? `${names.length} segments` : `segment ${names.join(' and segment ')}`,
    );
  }
  return words.join(', ');
}

export function isComment({ oldHash, newHash }: SyncedContent['lines'][number]): boolean {
  return oldHash !== null && oldHash === newHash;
}
