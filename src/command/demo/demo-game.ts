/**
 * The demo's game: Lumen Isles, a made-up puzzle adventure. `demo-game/` is an exported folder with the game as its team
 * began it; `history.json` in it lists what the team has done since.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KnownRoute } from '../../contract/client.js';
import type { Role } from '../../contract/operation.js';
import type {
  ContentLine,
  SegmentLine,
  TransferLine,
} from '../../contract/schemas/transfer-line.js';
import { ImportFolder } from '../transfer/import-folder.js';
import { type DemoTime, midnightOf } from './demo-time.js';

export const gameName = 'Lumen Isles';

/** A save in staging, or in `in`. Without changes and mapping it is the first one of the content, as in the folder. */
export interface SaveStep {
  readonly by: string;
  readonly save: string;
  readonly note: string;
  /** Replacements in the highest version line: each `before` occurs there once. */
  readonly changes?: readonly (readonly [before: string, after: string])[];
  /** The mapping of the folder is saved too. */
  readonly mapping?: true;
  readonly draft?: true;
  readonly in?: string;
}

/** One act of the team. `by` is a key of `people`, or `owner`. */
export type HistoryStep = { readonly at: DemoTime; readonly by: string } & (
  | { readonly join: string }
  | { readonly segment: string; readonly description?: string; readonly when?: object }
  | SaveStep
  | { readonly key: string; readonly in: string; readonly expires?: DemoTime }
  | { readonly revoke: string; readonly in: string }
  /** Of production, from staging. */
  | { readonly sync: true }
  | PlainRequest
);

/** A request as it is sent. The `url` of a webhook is a path of the demo's own receiver. */
interface PlainRequest {
  readonly request: KnownRoute;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: { readonly url?: string };
}

export interface DemoGame {
  readonly people: Readonly<
    Record<string, { name: string; role: Role; environments: readonly string[] | null }>
  >;
  /** Requests of game clients to try; without a body it is a GET. */
  readonly requests: readonly { shows: string; path: string; body?: object }[];
  /** Oldest first. */
  readonly steps: readonly HistoryStep[];
  readonly contents: ReadonlyMap<string, ContentLine>;
  readonly segments: ReadonlyMap<string, SegmentLine>;
}

/** With a zone, or without one in the player's local time. */
const day = /"(\d{4}-\d\d-\d\d)T00:00:00(\.000Z)?"/g;

/** @param nowMs when the demo starts: the time windows of the mappings move with it. Milliseconds since the epoch. */
export async function readDemoGame(nowMs: number): Promise<DemoGame> {
  // Beside this module in the sources, and in `dist`, where modules are not in folders.
  const folder = fileURLToPath(new URL('demo-game', import.meta.url));
  const history = JSON.parse(readFileSync(`${folder}/history.json`, 'utf8'));
  const passedMs = midnightOf(nowMs) - Date.parse(history.day);
  const moved = (_: string, date: string, zone = ''): string =>
    `"${new Date(Date.parse(date) + passedMs).toISOString().slice(0, 19)}${zone}"`;
  const contents = new Map<string, ContentLine>();
  const segments = new Map<string, SegmentLine>();
  for await (const bytes of new ImportFolder(folder).lines()) {
    const line = JSON.parse(Buffer.from(bytes).toString()) as TransferLine;
    if (line.kind === 'segment') segments.set(line.name, line);
    if (line.kind !== 'content') continue;
    const mapping = typeof line.mapping === 'string' ? line.mapping.replace(day, moved) : null;
    contents.set(line.id, { ...line, mapping });
  }
  return { ...history, contents, segments };
}
