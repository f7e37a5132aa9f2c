/** Lists of players as people have them: ids, CSV with a header, or JSON Lines of `{u, p, v}`. Pure. */
import { parseVersion } from '../../content/version.js';
import { cohortPlayersMax } from '../limits.js';
import { type CsvField, readCsv } from './csv.js';

export interface ListedPlayer {
  readonly u: string;
  /** JSON text of the user context, with values as they were written. */
  readonly source: string;
}

export interface PlayerList {
  readonly players: readonly ListedPlayer[];
  /** What cannot be read, with its line from 1. */
  readonly issues: readonly { readonly line: number; readonly message: string }[];
}

/** UTF-16 units of the players of one request: the server takes 2 MiB. */
const requestCharsMax = 600_000;
const idNames = ['u', 'id', 'uid', 'user', 'userid', 'user_id', 'player', 'playerid', 'player_id'];
const versionNames = ['v', 'version', 'appversion', 'app_version'];
const byteOrderMark = /^\uFEFF/;
const lineBreak = /\r\n|\n|\r/;
const plainValue = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const attributePrefix = /^p\./;

export function readPlayerList(text: string): PlayerList {
  const sound = text.replace(byteOrderMark, '');
  const first = sound.split(lineBreak).find((line) => line.trim() !== '') ?? '';
  return isHeader(first) ? readTable(sound) : readEntries(sound);
}

/** Where the players of the next request end: it holds at least one, and no more than a request may. */
export function endOfRequest(players: readonly ListedPlayer[], from: number): number {
  let chars = 0;
  let end = from;
  while (end < players.length && end - from < cohortPlayersMax) {
    chars += players[end]?.source.length ?? 0;
    if (end > from && chars > requestCharsMax) break;
    end++;
  }
  return end;
}

function isHeader(line: string): boolean {
  if (line.trimStart().startsWith('{')) return false;
  const [names = []] = readCsv(line);
  return names.some(({ text }) => idNames.includes(text.trim().toLowerCase()));
}

function readTable(text: string): PlayerList {
  const [names = [], ...rows] = readCsv(text);
  const titles = names.map((name) => name.text.trim());
  const column = (known: readonly string[]) =>
    titles.findIndex((title) => known.includes(title.toLowerCase()));
  const [idAt, versionAt] = [column(idNames), column(versionNames)];
  const players: ListedPlayer[] = [];
  const issues: PlayerList['issues'][number][] = [];
  for (const row of rows) {
    const u = row[idAt]?.text.trim() ?? '';
    const line = row[0]?.line ?? 0;
    if (u === '' && row.every((field) => field.text.trim() === '')) continue;
    const v = versionAt === -1 ? '' : (row[versionAt]?.text.trim() ?? '');
    if (row.length > titles.length) {
      issues.push({
        line,
        message: `has ${row.length} fields, but the header has ${titles.length}`,
      });
    } else if (v !== '' && parseVersion(v) === null) {
      issues.push({ line, message: `${v} does not have the form X.Y.Z` });
    } else {
      const attributes = titles.flatMap((title, at) => {
        const field = row[at];
        if (at === idAt || at === versionAt || field === undefined || title === '') return [];
        const value = attributeOf(field);
        const name = title.replace(attributePrefix, '');
        return value === null ? [] : [`${JSON.stringify(name)}:${value}`];
      });
      players.push({ u, source: sourceOf(u, attributes.join(','), v) });
    }
  }
  return { players, issues };
}

function sourceOf(u: string, attributes: string, v: string): string {
  const version = v === '' ? '' : `,"v":${JSON.stringify(v)}`;
  return `{"u":${JSON.stringify(u)},"p":{${attributes}}${version}}`;
}

/** JSON text of an attribute: numbers and truth values as they are, unless they are quoted; null: none. */
function attributeOf({ text, isQuoted }: CsvField): string | null {
  const value = isQuoted ? text : text.trim();
  if (value === '' && !isQuoted) return null;
  return !isQuoted && plainValue.test(value) ? value : JSON.stringify(value);
}

function readEntries(text: string): PlayerList {
  const players: ListedPlayer[] = [];
  const issues: PlayerList['issues'][number][] = [];
  for (const [at, raw] of text.split(lineBreak).entries()) {
    const entry = raw.trim();
    if (entry === '') continue;
    const read = entry.startsWith('{') ? readContext(entry) : readId(entry);
    if (typeof read === 'string') issues.push({ line: at + 1, message: read });
    else players.push(read);
  }
  return { players, issues };
}

/** @returns the player, or what is wrong */
function readContext(source: string): ListedPlayer | string {
  const value = parsed(source);
  if (typeof value !== 'object' || value === null) return 'is not JSON';
  const { u = '', p = {}, v = null } = value as Readonly<Record<string, unknown>>;
  if (typeof u !== 'string') return '"u" is not a string';
  if (typeof p !== 'object' || p === null || Array.isArray(p)) return '"p" is not an object';
  const isVersion = v === null || v === '' || (typeof v === 'string' && parseVersion(v) !== null);
  return isVersion ? { u, source } : '"v" does not have the form X.Y.Z';
}

function readId(entry: string): ListedPlayer | string {
  const isQuoted = entry.startsWith('"');
  const u = isQuoted ? parsed(entry) : entry;
  if (typeof u !== 'string') return 'is neither a user id nor JSON';
  return { u, source: JSON.stringify({ u }) };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
