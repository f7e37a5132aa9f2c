/** Writes the baseline of an environment: what a client kit ships with a game's build, for starts without a network. */
import { crc32 } from 'node:zlib';
import { tagOf } from '../../content/tag.js';
import { compareVersions, NO_VERSION, parseVersion, type Version } from '../../content/version.js';
import { baselineFormat } from '../../contract/transfer-format.js';
import type { PublishedLine } from '../../published/change.js';
import { readLogState } from '../store/change-log.js';
import type { Db } from '../store/dialect.js';
import { liveContents } from '../store/published-state.js';

export interface BaselineOptions {
  /** Id of the environment. */
  readonly environment: string;
  /** App version of the build, `X.Y.Z`; null: the highest version line of each content item. */
  readonly appVersion: string | null;
}

/**
 * The pieces of one JSON object. Targeting rules are not applied: a build outlives windows and tests, and belongs to no
 * player. So an entry has the tag that refresh gives players to whom no rule applies (D86).
 * @param db a snapshot for as long as it takes
 */
export async function* baselinePieces(
  db: Db,
  { environment, appVersion }: BaselineOptions,
): AsyncGenerator<string> {
  const { storeId: store, sequence } = await readLogState(db);
  const head = { format: baselineFormat, store, sequence, environment, appVersion };
  yield `${JSON.stringify(head).slice(0, -1)},"contents":{`;
  const version = (appVersion === null ? null : parseVersion(appVersion)) ?? NO_VERSION;
  let comma = '';
  for await (const { id, lines } of liveContents(db, environment)) {
    const line = lineFor(version, appVersion === null, lines);
    if (line === undefined) continue;
    yield `${comma}${JSON.stringify(id)}:${entryOf(line)}`;
    comma = ',';
  }
  yield '}}\n';
}

function lineFor(
  version: Version,
  isHighest: boolean,
  lines: readonly PublishedLine[],
): PublishedLine | undefined {
  return lines.findLast(
    (line) => isHighest || compareVersions(parseVersion(line.version) ?? NO_VERSION, version) <= 0,
  );
}

function entryOf({ json, digest, hash }: PublishedLine): string {
  const data = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
  const crc = crc32(json).toString(16).padStart(8, '0');
  return JSON.stringify({ data, hash, tag: tagOf(digest, []), crc, seg: [] });
}
