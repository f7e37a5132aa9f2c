/** User contexts that are pasted (NDJSON, a JSON array, a user id per line) or made up. */
import { elementSources, isJson, sourceAt } from '../../api/raw-json.js';
import { versionPattern } from './user-context.js';

export const contextsMax = 10_000;

export interface TypedContexts {
  /** JSON sources of user contexts. */
  readonly contexts: readonly TypedContext[];
  readonly issues: readonly ContextIssue[];
}

export interface TypedContext {
  /** JSON source. */
  readonly source: string;
  /** Its place in the pasted text, from 1: the line, or the index in an array. */
  readonly at: number;
  /** App version; empty: none. */
  readonly v: string;
}

export interface ContextIssue {
  readonly at: number;
  readonly message: string;
}

export function readContexts(pasted: string): TypedContexts {
  const text = pasted.replace(byteOrderMark, '');
  const isArray = text.trimStart().startsWith('[');
  return isArray ? readArray(text) : readLines(text);
}

const byteOrderMark = /^\uFEFF/;
const lineBreak = /\r\n|\n|\r/;
const userIdCharsMax = 1_000;

function readArray(text: string): TypedContexts {
  if (!isJson(text)) {
    return { contexts: [], issues: [{ at: 1, message: 'The list is not JSON: is it complete?' }] };
  }
  const elements = elementSources(text) ?? [];
  return collect(elements.map((source, index) => [index + 1, source] as const));
}

function readLines(text: string): TypedContexts {
  const lines = text
    .split(lineBreak)
    .map((line, index) => [index + 1, line.trim()] as const)
    .filter(([, line]) => line !== '');
  return collect(lines);
}

function collect(entries: readonly (readonly [at: number, entry: string])[]): TypedContexts {
  const contexts: TypedContext[] = [];
  const issues: ContextIssue[] = [];
  for (const [at, entry] of entries) {
    if (contexts.length === contextsMax) {
      issues.push({ at, message: `The rest is left out: a preview takes ${contextsMax}.` });
      break;
    }
    const read = readEntry(entry);
    if ('message' in read) issues.push({ at, message: read.message });
    else contexts.push({ at, ...read });
  }
  return { contexts, issues };
}

type Entry = Omit<TypedContext, 'at'> | { readonly message: string };

function readEntry(entry: string): Entry {
  if (!entry.startsWith('{')) return readUserId(entry);
  if (!isJson(entry)) return { message: 'is not JSON' };
  const { u, v, p } = JSON.parse(entry) as { u?: unknown; v?: unknown; p?: unknown };
  if (u !== undefined && typeof u !== 'string') return { message: '"u" is not a string' };
  if (p !== undefined && (typeof p !== 'object' || p === null || Array.isArray(p))) {
    return { message: '"p" is not an object of attributes' };
  }
  if (v === undefined || v === null || v === '') return { source: entry, v: '' };
  if (typeof v !== 'string' || !versionPattern.test(v))
    return { message: '"v" does not have the form X.Y.Z' };
  return { source: entry, v };
}

/** A plain user id, or one as a JSON text or number. */
function readUserId(entry: string): Entry {
  const isQuoted = entry.startsWith('"');
  if (isQuoted && !isJson(entry)) return { message: 'is neither a user id nor JSON' };
  const id = isQuoted ? String(JSON.parse(entry)) : entry;
  if (id.length > userIdCharsMax) return { message: 'is too long for a user id' };
  return { source: `{"u":${JSON.stringify(id)}}`, v: '' };
}

/** Made-up users that differ only in their ids; the rest comes from one user context. */
export function makeContexts(count: number, prefix: string, like: string): string {
  const v = sourceAt(like, ['v']);
  const p = sourceAt(like, ['p']);
  const rest = `${p === null ? '' : `,"p":${p.replace(lineBreaks, ' ')}`}${v === null ? '' : `,"v":${v}`}`;
  const lines: string[] = [];
  for (let number = 1; number <= Math.min(count, contextsMax); number++) {
    lines.push(`{"u":${JSON.stringify(`${prefix}${number}`)}${rest}}`);
  }
  return lines.join('\n');
}

const lineBreaks = /[\r\n]+/g;
