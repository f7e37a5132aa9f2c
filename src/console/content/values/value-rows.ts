/** The paths of two envelopes side by side: what changed first. Pure. */
import type { Envelope, EnvelopePath } from '../../../contract/operations/envelope.js';
import type { Finding } from '../../../contract/schemas/guard.js';
import { compareVersions } from '../../draft/state-parts.js';

export type ValueChange = 'added' | 'changed' | 'removed' | 'same';

export interface ValueRow {
  readonly key: string;
  readonly appVersion: string;
  readonly path: string;
  /** Null: no player is given it any more. */
  readonly now: EnvelopePath | null;
  /** Null: no player is given it yet. */
  readonly live: EnvelopePath | null;
  readonly change: ValueChange;
  readonly findings: readonly PlacedFinding[];
}

export type PlacedFinding = Pick<Finding, 'appVersion' | 'path' | 'severity' | 'message'>;

type Line = Envelope['lines'][number];

/**
 * Rows with findings come first, then those that changed; each group is in the order of the document.
 * @param live null: nothing is live, so nothing has changed
 */
export function valueRows(
  now: Pick<Envelope, 'lines'>,
  live: Pick<Envelope, 'lines'> | null,
  findings: readonly PlacedFinding[],
): ValueRow[] {
  const found = new Map<string, PlacedFinding[]>();
  for (const finding of findings) {
    const key = keyOf(finding.appVersion, finding.path);
    found.set(key, [...(found.get(key) ?? []), finding]);
  }
  const rows = now.lines.flatMap((line) =>
    rowsOfLine(line, live === null ? null : lineBelow(live.lines, line.appVersion)),
  );
  return rows
    .map((row) => ({ ...row, findings: found.get(row.key) ?? [] }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

type UncheckedRow = Omit<ValueRow, 'findings'>;

/** @param before null: nothing is live */
function rowsOfLine({ appVersion, paths }: Line, before: Line | null): UncheckedRow[] {
  const old = new Map(before?.paths.map((path) => [path.path, path]));
  const rows = paths.map((now): UncheckedRow => {
    const live = old.get(now.path) ?? null;
    old.delete(now.path);
    const change =
      before === null ? 'same' : live === null ? 'added' : isSame(now, live) ? 'same' : 'changed';
    return { key: keyOf(appVersion, now.path), appVersion, path: now.path, now, live, change };
  });
  for (const [path, live] of old) {
    rows.push({
      key: keyOf(appVersion, path),
      appVersion,
      path,
      now: null,
      live,
      change: 'removed',
    });
  }
  return rows;
}

/** The line that the players of this version have now: its own, or the next lower one. */
function lineBelow(lines: readonly Line[], appVersion: string): Line | null {
  return (
    lines
      .filter((line) => compareVersions(line.appVersion, appVersion) <= 0)
      .toSorted((a, b) => compareVersions(b.appVersion, a.appVersion))[0] ?? null
  );
}

/** Where a value is written may differ. */
function isSame(a: EnvelopePath, b: EnvelopePath): boolean {
  return factsOf(a) === factsOf(b);
}

function factsOf({ types, always, min, max, values }: EnvelopePath): string {
  return JSON.stringify([types, always, min?.value, max?.value, values]);
}

function rankOf({ findings, change }: ValueRow): number {
  if (findings.length > 0) return 0;
  return change === 'same' ? 2 : 1;
}

function keyOf(appVersion: string, path: string): string {
  return `${appVersion} ${path}`;
}
