/** What the files of an exported folder say: the JSON beside a content's texts, and that of a segment. */

import type { ContentLine, SegmentLine } from '../../contract/schemas/transfer-line.js';
import { rawMembers } from '../../management/http/body/raw-members.js';
import { CommandFailure } from '../terminal/failure.js';
import { decodeText } from '../terminal/text-file.js';

/** A content without its texts; mapping and schema byte for byte. */
export function contentFileText(content: ContentLine): string {
  const { id, live, description, tags, schema, mapping, flags = [] } = content;
  return objectText({
    kind: '"content"',
    id: JSON.stringify(id),
    live: String(live),
    description: JSON.stringify(description),
    tags: JSON.stringify(tags),
    schema: textOf(schema),
    mapping: textOf(mapping),
    ...(flags.length > 0 && { flags: JSON.stringify(flags) }),
  });
}

export function segmentFileText({ name, description, when }: SegmentLine): string {
  return objectText({
    kind: '"segment"',
    name: JSON.stringify(name),
    description: JSON.stringify(description),
    when: textOf(when),
  });
}

/** An export gives JSON texts as strings; the schema of its lines also allows JSON, for files written by hand. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A member a line; values that are JSON text already stay as they are. */
function objectText(members: Readonly<Record<string, string>>): string {
  const lines = Object.entries(members).map(([name, value]) => `  "${name}": ${value}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/**
 * The members of a file that this made, with their values as JSON texts.
 * @returns null when it is JSON of somebody else: another tool's file in the same folder
 * @throws CommandFailure when it is not JSON, or not an object
 */
export function readMembers(
  bytes: Uint8Array,
  file: string,
  kind: 'content' | 'segment',
): ReadonlyMap<string, string> | null {
  const text = decodeText(bytes, file);
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    throw new CommandFailure(`${file} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ((value as { kind?: unknown }).kind !== kind) return null;
  const members = new Map<string, string>();
  for (const [name, raw] of rawMembers(bytes)) members.set(name, decodeText(raw, file));
  return members;
}

/**
 * A line of the import from members: those in `texts` are sent as strings that hold the JSON text, all others as they
 * are, for the server to check.
 */
export function lineOfMembers(
  members: ReadonlyMap<string, string>,
  texts: readonly string[],
  more: Readonly<Record<string, string>>,
): string {
  const parts: string[] = [];
  for (const [name, raw] of members) {
    if (Object.hasOwn(more, name)) continue;
    const value = texts.includes(name) && raw !== 'null' ? JSON.stringify(raw) : oneLineJson(raw);
    parts.push(`${JSON.stringify(name)}:${value}`);
  }
  for (const [name, value] of Object.entries(more)) parts.push(`${JSON.stringify(name)}:${value}`);
  return `{${parts.join(',')}}\n`;
}

/** Descriptions and tags carry nothing that parsing would lose; line breaks between them would end the line. */
function oneLineJson(raw: string): string {
  return JSON.stringify(JSON.parse(raw));
}
