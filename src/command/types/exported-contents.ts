/** The content items of an environment, from a server or from a folder that `loadout export --dir` wrote. */

import type { ContentLine, TransferLine } from '../../contract/schemas/transfer-line.js';
import { type EnvironmentOptions, openClient } from '../client/connection.js';
import { CommandFailure } from '../terminal/failure.js';
import { ExportedLines } from '../transfer/exported-lines.js';
import { ImportFolder } from '../transfer/import-folder.js';

/** What types are made of. */
export interface ExportedContent {
  readonly id: string;
  /** JSON text; null: it has none. */
  readonly schema: string | null;
  /** The texts of its version lines, JSON with comments. */
  readonly lines: readonly { readonly appVersion: string; readonly text: string }[];
  /** JSON text of the targeting rules; null: there are none. */
  readonly mapping: string | null;
}

/** What is live, sorted by id: drafts are for nobody's game. */
export async function contentsOfServer(
  options: EnvironmentOptions,
): Promise<readonly ExportedContent[]> {
  const response = await openClient(options).stream('GET /environments/:env/export', {
    params: { env: options.env },
    query: { drafts: false },
  });
  const lines = new ExportedLines(response.body ?? []);
  try {
    return await contentsOf(lines.objects());
  } finally {
    lines.progress.end();
  }
}

/** @throws CommandFailure when the folder cannot be read */
export function contentsOfFolder(folder: string): Promise<readonly ExportedContent[]> {
  return contentsOf(parsed(new ImportFolder(folder).lines()));
}

async function* parsed(lines: AsyncIterable<Uint8Array>): AsyncGenerator<TransferLine> {
  for await (const line of lines) yield JSON.parse(Buffer.from(line).toString());
}

async function contentsOf(lines: AsyncIterable<TransferLine>): Promise<readonly ExportedContent[]> {
  const contents: ExportedContent[] = [];
  for await (const line of lines) {
    if (line.kind === 'content' && line.live !== false) contents.push(contentOf(line));
  }
  return contents.sort((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
}

function contentOf({ id, schema, lines, mapping }: ContentLine): ExportedContent {
  return { id, schema: textOf(schema), lines, mapping: textOf(mapping) };
}

/** Files written by hand may have JSON where an export has its text. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The named ones, in any case of their letters; all when none is named.
 * @throws CommandFailure when one is not there
 */
export function pickContents(
  contents: readonly ExportedContent[],
  ids: readonly string[],
): readonly ExportedContent[] {
  if (ids.length === 0) return contents;
  const wanted = new Set(ids.map((id) => id.toLowerCase()));
  const picked = contents.filter(({ id }) => wanted.delete(id.toLowerCase()));
  if (wanted.size > 0) {
    throw new CommandFailure(`There is no live content ${[...wanted].sort().join(', ')}.`);
  }
  return picked;
}
