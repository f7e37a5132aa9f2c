/** The lines of an edit, saved or tried out: all of them at once, or the text of one. */
import type { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import type { Problem } from '../../contract/problems.js';
import type { linesSchema } from '../../contract/schemas/lines.js';
import { bodyIssue } from '../http/problem.js';

/** Lines as they were sent. */
export interface GivenLines {
  /** Others are removed. */
  readonly areAll: boolean;
  readonly lines: readonly GivenLine[];
}

export interface GivenLine {
  /** Canonical, and each once. */
  readonly appVersion: string;
  /** Left out: the line keeps the text that it has. */
  readonly text: string | undefined;
  /** Of the text in the body. */
  readonly path: string;
}

interface LinesBody {
  readonly text?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly lines?: z.output<typeof linesSchema> | undefined;
}

/** Null: the edit has no lines. */
export function linesOf(body: LinesBody): GivenLines | null | Problem {
  const { text, appVersion = lowestVersion } = body;
  if (body.lines === undefined) {
    if (text !== undefined) return { areAll: false, lines: [{ appVersion, text, path: 'text' }] };
    if (body.appVersion === undefined) return null;
    return bodyIssue('appVersion', 'says which line a text goes to, but there is no text');
  }
  if (text !== undefined || body.appVersion !== undefined) {
    return bodyIssue('lines', 'says all lines: leave text and appVersion out');
  }
  const known = new Set<string>();
  for (const [index, line] of body.lines.entries()) {
    if (known.has(line.appVersion)) {
      return bodyIssue(`lines[${index}].appVersion`, `repeats the line ${line.appVersion}`);
    }
    known.add(line.appVersion);
  }
  const lines = body.lines.map((line, index) => ({
    appVersion: line.appVersion,
    text: line.text,
    path: `lines[${index}].text`,
  }));
  return { areAll: true, lines };
}
