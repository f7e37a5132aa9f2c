/** Where on the screen an issue of the draft is. */
import type { ValidationIssue } from '../../contract/problems.js';
import type { FoundPlace } from '../parts/found-place.js';

/** A place to go to. Each jump is a new object, so that going to the same place twice works. */
export interface Jump {
  /** Of the issue. */
  readonly path: string;
  readonly tab: 'text' | 'mapping' | 'settings';
  readonly appVersion: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** To what a search has found in a text. */
export function jumpToFound({ appVersion, line, column }: FoundPlace): Jump {
  return { path: 'text', tab: 'text', appVersion, line, column };
}

const arrived = new WeakSet<Jump>();

/** Whether to go there now: true once for each jump. */
export function goesTo(jump: Jump | null, tab: Jump['tab']): jump is Jump {
  if (jump === null || jump.tab !== tab || arrived.has(jump)) return false;
  arrived.add(jump);
  return true;
}

/** Whether the issue prevents publishing only, and a draft may be saved with it. */
export function isOnlyForDrafts({ code }: ValidationIssue): boolean {
  return code === 'schema_mismatch';
}

const findingCodes: ReadonlySet<ValidationIssue['code']> = new Set([
  'guard',
  'value_type_changed',
  'value_factor',
]);

/** Whether it is about a value that players would get, and not about how it is written. */
export function isFinding({ code }: ValidationIssue): boolean {
  return findingCodes.has(code);
}

export function placeOfIssue(issue: ValidationIssue): Jump {
  const { path, appVersion = null, line = null, column = null } = issue;
  return { path, tab: tabOf(path), appVersion, line, column };
}

function tabOf(path: string): Jump['tab'] {
  if (path.startsWith('mapping')) return 'mapping';
  const isSetting = ['flags', 'schema', 'description', 'tags', 'guards'].some((name) =>
    path.startsWith(name),
  );
  return isSetting ? 'settings' : 'text';
}

/** For a list of issues. */
export function formatPlace(
  { path, appVersion, line, column }: ValidationIssue,
  lines: number,
): string {
  if (path.startsWith('flags') && lines > 1 && appVersion !== undefined) {
    return `${appVersion} · ${path}`;
  }
  if (path !== 'text') return path;
  const place = line === undefined ? '' : `${line}:${column ?? 1}`;
  return lines > 1 && appVersion !== undefined ? `${appVersion} · ${place}` : place;
}
