/** Where on the screen a fault of the draft is. */
import type { ValidationIssue } from '../../contract/problems.js';

/** A place to go to; a new object each time, so that going there twice works. */
export interface Jump {
  readonly tab: 'text' | 'mapping' | 'settings';
  readonly appVersion: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

const arrived = new WeakSet<Jump>();

/** Whether one goes there now: once for each jump. */
export function goesTo(jump: Jump | null, tab: Jump['tab']): jump is Jump {
  if (jump === null || jump.tab !== tab || arrived.has(jump)) return false;
  arrived.add(jump);
  return true;
}

/** Whether a draft may be saved with it: then it is in the way of publishing only. */
export function isOnlyForDrafts({ code }: ValidationIssue): boolean {
  return code === 'schema_mismatch';
}

export function placeOfFault(fault: ValidationIssue): Jump {
  const { path, appVersion = null, line = null, column = null } = fault;
  return { tab: tabOf(path), appVersion, line, column };
}

export function tabOf(path: string): Jump['tab'] {
  if (path.startsWith('mapping')) return 'mapping';
  const isSetting = ['schema', 'description', 'tags'].some((name) => path.startsWith(name));
  return isSetting ? 'settings' : 'text';
}

/** In words, for a list of faults. */
export function whereOf(
  { path, appVersion, line, column }: ValidationIssue,
  lines: number,
): string {
  if (path !== 'text') return path;
  const place = line === undefined ? '' : `${line}:${column ?? 1}`;
  return lines > 1 && appVersion !== undefined ? `${appVersion} · ${place}` : place;
}
