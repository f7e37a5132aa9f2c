/** The result of a dry run as a list to choose from, with the content items of both sides. Pure. */
import type { SyncedContent, SyncedSegment, SyncReport } from '../../contract/operations/sync.js';

export type SyncItemKind = 'added' | 'changed' | 'unchanged' | 'only-here';

export interface SyncItem {
  readonly id: string;
  readonly kind: SyncItemKind;
  /** Null: there is nothing to sync. */
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
  if (filter === 'changes') return change !== null;
  return filter === 'conflicts' ? change?.conflict === true : kind === filter;
}

export function countByFilter(items: readonly SyncItem[]): Readonly<Record<SyncFilter, number>> {
  const counts = { changes: 0, added: 0, changed: 0, conflicts: 0, unchanged: 0, 'only-here': 0 };
  for (const item of items) {
    for (const filter of syncFilters) if (passes(item, filter)) counts[filter] += 1;
  }
  return counts;
}

/** All that changes, except conflicts: to overwrite an edit made in the target is a person's decision. */
export function proposedChoice(items: readonly SyncItem[]): Set<string> {
  const proposed = items.filter(({ change }) => change !== null && !change.conflict);
  return new Set(proposed.map(({ id }) => id));
}

/** What of a choice still differs, after another dry run. */
export function keptChoice(chosen: ReadonlySet<string>, items: readonly SyncItem[]): Set<string> {
  const kept = items.filter(({ id, change }) => change !== null && chosen.has(id));
  return new Set(kept.map(({ id }) => id));
}

/** The segments that the chosen content items use. */
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

/** What would be synced differently than when it was chosen: ids of content items, names of segments. */
export function movedSince(looked: SyncReport, now: SyncReport): string[] {
  const contents = new Map(
    [...looked.added, ...looked.changed].map((change) => [change.id, traitsOf(change)]),
  );
  const segments = new Map(looked.segments.map((segment) => [segment.name, conditionsOf(segment)]));
  return [
    ...[...now.added, ...now.changed]
      .filter((change) => contents.get(change.id) !== traitsOf(change))
      .map(({ id }) => id),
    ...now.segments
      .filter((segment) => segments.get(segment.name) !== conditionsOf(segment))
      .map(({ name }) => name),
  ];
}

/** Without the differences: revisions never change, and how many differences are listed depends on the number of items. */
function traitsOf({ lines: _lines, ...traits }: SyncedContent): string {
  return JSON.stringify(traits);
}

function conditionsOf({ before, after }: SyncedSegment): string {
  return JSON.stringify([before, after]);
}

/** "2 version lines, targeting changed, tags", in the order in which they matter. */
export function describeChange({
  lines,
  mapping,
  flags,
  about,
  segments,
  toRevision,
}: SyncedContent): string {
  const isNew = toRevision === null;
  const parts: string[] = [];
  if (lines.length > 0) {
    const comments = lines.every(isComment) ? ' (comments only)' : '';
    parts.push(`${countOf(lines.length, 'version line')}${comments}`);
  }
  if (mapping !== 'same') parts.push(isNew ? 'targeting' : `targeting ${mapping}`);
  if (flags !== 'same') parts.push(isNew ? 'flags' : `flags ${flags}`);
  if (!isNew) parts.push(...about);
  const names = segments.map(({ name }) => `segment ${name}`);
  if (names.length > 0) {
    parts.push(names.length > 2 ? countOf(names.length, 'segment') : names.join(' and '));
  }
  return parts.join(', ');
}

/** "1 item", "2 items". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function isComment({ oldHash, newHash }: SyncedContent['lines'][number]): boolean {
  return oldHash !== null && oldHash === newHash;
}
