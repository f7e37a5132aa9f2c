/**
 * What the API must be told of a typed state, so that it answers as if the state were saved. It takes one unsaved text; a
 * user needs only that of their line, which goes to the line that the server will choose for them.
 */
import type { ContentState, DraftLine, SavedContent } from '../content/draft.js';

export interface TypedEdit {
  /** The line that the typed state gives them. */
  readonly line: DraftLine;
  /** Null: that of the saved revision. */
  readonly text: string | null;
  /** The line that the text is sent for. */
  readonly appVersion: string;
  /** JSON source; null: that of the saved revision. */
  readonly mapping: string | null;
}

/** @returns null: the typed state has no line for the version, so delivery answers 404 */
export function typedEdit(saved: SavedContent, state: ContentState, v: string): TypedEdit | null {
  const line = lineFor(state.lines, v);
  if (line === null) return null;
  const known = saved.newest === 0 ? [] : saved.lines;
  const chosen = lineFor(known, v);
  const isSaved = chosen?.appVersion === line.appVersion && chosen.text === line.text;
  // A line that was removed would be chosen by the server still: the text takes its place.
  const target = chosen !== null && compareVersions(chosen, line) > 0 ? chosen : line;
  return {
    line,
    text: isSaved ? null : line.text,
    appVersion: target.appVersion,
    mapping: saved.newest !== 0 && state.mapping === saved.mapping ? null : state.mapping,
  };
}

/** The highest line that a version admits; of no version, the highest of all. */
export function lineFor(lines: readonly DraftLine[], v: string): DraftLine | null {
  let found: DraftLine | null = null;
  for (const line of lines) {
    if (v !== '' && compareVersions(line, { appVersion: v }) > 0) continue;
    if (found === null || compareVersions(line, found) > 0) found = line;
  }
  return found;
}

type Versioned = Pick<DraftLine, 'appVersion'>;

function compareVersions(a: Versioned, b: Versioned): number {
  const left = a.appVersion.split('.').map(Number);
  const right = b.appVersion.split('.').map(Number);
  for (let part = 0; part < 3; part++) {
    const order = (left[part] ?? 0) - (right[part] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
