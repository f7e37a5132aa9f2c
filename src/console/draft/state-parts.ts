/**
 * The state of a content item as named parts, each a text: its version lines, mapping, flags, description, tags, schema and guards.
 * States are compared and merged part by part.
 */
import type { ContentState, VersionLine } from './draft.js';

/** `line 1.2.0`, `mapping`, `flags`, `description`, `tags`, `schema` or `guards`. */
export type PartName = string;

export type Parts = ReadonlyMap<PartName, string>;

const linePrefix = 'line ';

export function partsOf(state: ContentState): Parts {
  return new Map([
    ...state.lines.map(({ appVersion, text }) => [`${linePrefix}${appVersion}`, text] as const),
    ['mapping', state.mapping],
    ['flags', JSON.stringify(state.flags)],
    ['description', state.description],
    ['tags', JSON.stringify(state.tags)],
    ['schema', state.schema],
    ['guards', JSON.stringify(state.guards)],
  ]);
}

/** The state with some parts replaced, or removed where the text is null. */
export function withParts(
  state: ContentState,
  changes: Iterable<readonly [PartName, string | null]>,
): ContentState {
  const parts = new Map(partsOf(state));
  for (const [name, text] of changes) {
    if (text === null) parts.delete(name);
    else parts.set(name, text);
  }
  const lines: VersionLine[] = [];
  for (const [name, text] of parts) {
    const appVersion = lineOfPart(name);
    if (appVersion !== null) lines.push({ appVersion, text });
  }
  return {
    // Each side of a merge may have removed what the other kept; a content item has at least one line.
    lines: lines.length === 0 ? state.lines : sortedLines(lines),
    mapping: parts.get('mapping') ?? '[]',
    flags: JSON.parse(parts.get('flags') ?? '[]') as string[],
    description: parts.get('description') ?? '',
    tags: JSON.parse(parts.get('tags') ?? '[]') as string[],
    schema: parts.get('schema') ?? 'null',
    guards: JSON.parse(parts.get('guards') ?? '[]') as ContentState['guards'],
  };
}

/** The app version of a line's part; null for another part. */
export function lineOfPart(name: PartName): string | null {
  return name.startsWith(linePrefix) ? name.slice(linePrefix.length) : null;
}

/** For headings. */
export function titleOfPart(name: PartName): string {
  const appVersion = lineOfPart(name);
  if (appVersion !== null) return `Version ${appVersion}`;
  return name === 'mapping' ? 'Targeting' : name.charAt(0).toUpperCase() + name.slice(1);
}

/** Names of the parts that differ; those that are only on one side as well. */
export function changedParts(before: ContentState, after: ContentState): PartName[] {
  const a = partsOf(before);
  const b = partsOf(after);
  const names = [...a.keys(), ...[...b.keys()].filter((name) => !a.has(name))];
  return names.filter((name) => a.get(name) !== b.get(name)).sort(compareParts);
}

/** The parts that differ, as they are afterwards; null: removed. */
export function changesOf(before: ContentState, after: ContentState): [PartName, string | null][] {
  const parts = partsOf(after);
  return changedParts(before, after).map((name) => [name, parts.get(name) ?? null]);
}

export function sameState(a: ContentState, b: ContentState): boolean {
  return a === b || changedParts(a, b).length === 0;
}

/** My changes since `base`, on top of theirs, part by part. */
export function mergeStates(
  base: ContentState,
  mine: ContentState,
  theirs: ContentState,
): ContentState {
  return withParts(theirs, changesOf(base, mine));
}

/** The state alone, without the other facts of a saved content item. */
export function stateOf(state: ContentState): ContentState {
  const { lines, mapping, flags, description, tags, schema, guards } = state;
  return { lines, mapping, flags, description, tags, schema, guards };
}

export function withLine(state: ContentState, line: VersionLine): ContentState {
  return { ...state, lines: sortedLines([...withoutLine(state, line.appVersion).lines, line]) };
}

export function withoutLine(state: ContentState, appVersion: string): ContentState {
  return { ...state, lines: state.lines.filter((line) => line.appVersion !== appVersion) };
}

function sortedLines(lines: readonly VersionLine[]): VersionLine[] {
  return lines.toSorted((a, b) => compareVersions(a.appVersion, b.appVersion));
}

const longChars = 256 * 1024;

/** Whether the texts are so long that work on them waits for longer pauses in typing. */
export function isLong({ lines }: ContentState): boolean {
  return lines.reduce((sum, { text }) => sum + text.length, 0) > longChars;
}

const version = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/;

/** `01.2.3` is `1.2.3`; null: not of the form X.Y.Z. */
export function canonicalVersion(text: string): string | null {
  const parts = version.exec(text.trim());
  return parts === null ? null : parts.slice(1).map(Number).join('.');
}

export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const order = ['mapping', 'flags', 'description', 'tags', 'schema', 'guards'];

function compareParts(a: PartName, b: PartName): number {
  const left = lineOfPart(a);
  const right = lineOfPart(b);
  if (left !== null && right !== null) return compareVersions(left, right);
  return order.indexOf(a) - order.indexOf(b);
}
