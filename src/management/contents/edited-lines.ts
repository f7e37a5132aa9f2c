/** The version lines of an edit, saved or tried out: all of them at once, or the text of one. */
import { lowestVersion } from '../../content/version-text.js';
import { mappingBytesMax, schemaBytesMax } from '../../contract/limits.js';
import type { ContentEditBody } from '../../contract/operations/content-save.js';
import { Problem } from '../../contract/problems.js';
import { rawMembers } from '../http/body/raw-members.js';
import { bodyIssue } from '../http/problem.js';
import type { TextPlace } from './text.js';

export interface EditedLines<Text> {
  /** These are all version lines of the content: others are removed. */
  readonly areAll: boolean;
  /** By app version, canonical; null: the version line keeps the text that it has. At least one. */
  readonly texts: ReadonlyMap<string, Text | null>;
}

type EditBody = Pick<ContentEditBody, 'text' | 'appVersion' | 'lines' | 'mapping' | 'schema'>;

/**
 * Undefined: the edit has no version lines.
 * @param read takes one text as it was sent
 */
export async function readLines<Text>(
  { text, appVersion, lines }: EditBody,
  read: (text: string, place: TextPlace) => Promise<Text | Problem> | Text | Problem,
): Promise<EditedLines<Text> | undefined | Problem> {
  const areAll = lines !== undefined;
  if (areAll && (text !== undefined || appVersion !== undefined)) {
    return bodyIssue('lines', 'says all lines: leave text and appVersion out');
  }
  if (!areAll && text === undefined) {
    if (appVersion === undefined) return undefined;
    return bodyIssue('appVersion', 'says which line a text goes to, but there is no text');
  }
  const texts = new Map<string, Text | null>();
  const given = lines ?? [{ appVersion: appVersion ?? lowestVersion, text }];
  for (const [index, line] of given.entries()) {
    if (given.findIndex((other) => other.appVersion === line.appVersion) < index) {
      return bodyIssue(`lines[${index}].appVersion`, `repeats the line ${line.appVersion}`);
    }
  }
  for (const [index, line] of given.entries()) {
    const place = { path: areAll ? `lines[${index}].text` : 'text', appVersion: line.appVersion };
    const taken = line.text === undefined ? null : await read(line.text, place);
    if (taken instanceof Problem) return taken;
    texts.set(line.appVersion, taken);
  }
  return { areAll, texts };
}

/** Values of an edit as JSON text, byte for byte as they were sent; null: removed. */
export interface EditedValues {
  readonly mapping?: Uint8Array | null | undefined;
  readonly schema?: string | null | undefined;
}

/** @param raw the body as it was sent */
export function readValues(
  { mapping, schema }: EditBody,
  raw: Uint8Array | null,
): EditedValues | Problem {
  if (mapping === undefined && schema === undefined) return {};
  const members = rawMembers(raw ?? new Uint8Array());
  const [mappingText, schemaText] = [members.get('mapping'), members.get('schema')];
  if ((mappingText?.byteLength ?? 0) > mappingBytesMax) {
    return bodyIssue('mapping', `is larger than ${mappingBytesMax} bytes`);
  }
  if ((schemaText?.byteLength ?? 0) > schemaBytesMax) {
    return bodyIssue('schema', `is larger than ${schemaBytesMax} bytes`);
  }
  return {
    // A copy, so that the rest of the body is not kept with it.
    mapping: mapping?.length === 0 ? null : mappingText?.slice(),
    schema: schema === null ? null : schemaText && Buffer.from(schemaText).toString(),
  };
}
