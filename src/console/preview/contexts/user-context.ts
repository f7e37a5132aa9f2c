/** A user context as typed and as the API takes it: attributes keep the spelling of their values. */
import { parseTree } from 'jsonc-parser';
import { isJson, memberSources, objectSource, sourceAt } from '../../api/raw-json.js';

export interface UserContext {
  /** User id; empty: none. */
  readonly u: string;
  /** App version; empty: none. */
  readonly v: string;
  /** JSON source of the object of attributes. */
  readonly p: string;
}

export const emptyContext: UserContext = { u: '', v: '', p: '{}' };

/** The source to send; empty members are left out. */
export function contextSource({ u, v, p }: UserContext): string {
  const fields = { u: u === '' ? undefined : u, v: v.trim() === '' ? undefined : v.trim() };
  return objectSource(fields, { p: memberSources(p)?.size === 0 ? undefined : p });
}

export function contextOf(source: string): UserContext {
  return { u: stringAt(source, 'u'), v: stringAt(source, 'v'), p: sourceAt(source, ['p']) ?? '{}' };
}

function stringAt(source: string, name: string): string {
  const value: unknown = JSON.parse(sourceAt(source, [name]) ?? '""');
  return typeof value === 'string' ? value : '';
}

export const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;

export interface ContextIssues {
  readonly v: string | null;
  readonly p: string | null;
}

export function contextIssues({ v, p }: UserContext): ContextIssues {
  return {
    v: v.trim() === '' || versionPattern.test(v.trim()) ? null : 'A version has the form X.Y.Z.',
    p: objectIssue(p),
  };
}

export function isInvalid({ v, p }: ContextIssues): boolean {
  return v !== null || p !== null;
}

function objectIssue(source: string): string | null {
  try {
    const value: unknown = JSON.parse(source);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? null : 'The attributes are an object, such as { "country": "DE" }.';
  } catch {
    return 'The attributes are not JSON yet.';
  }
}

/** One attribute as a row of the form: the value as it is typed. */
export interface AttributeRow {
  readonly name: string;
  readonly value: string;
}

/** Null: it is not an object, or it repeats a name, which rows cannot express. */
export function rowsOf(p: string): AttributeRow[] | null {
  const members = memberSources(p);
  if (members === null || members.size < (parseTree(p)?.children?.length ?? 0)) return null;
  return [...members].map(([name, source]) => ({ name, value: shownValue(source) }));
}

/** Rows without a name are unfinished and left out. */
export function attributesSource(rows: readonly AttributeRow[]): string {
  const members = new Map(
    rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, valueSource(value)]),
  );
  if (members.size === 0) return '{}';
  return `{ ${[...members].map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')} }`;
}

/** The typed value if it is JSON; otherwise a JSON text: `DE` stands for `"DE"`. */
export function valueSource(typed: string): string {
  const text = typed.trim();
  return isJson(text) ? text : JSON.stringify(typed);
}

/** The shortest text for which `valueSource` returns the same. */
export function shownValue(source: string): string {
  if (!source.startsWith('"')) return source;
  const text = String(JSON.parse(source));
  return valueSource(text) === source ? text : source;
}

/** The type of a typed value. */
export function kindOfValue(typed: string): string {
  const source = valueSource(typed);
  if (source.startsWith('"')) return 'text';
  if (source.startsWith('[')) return 'list';
  if (source.startsWith('{')) return 'object';
  if (source === 'true' || source === 'false') return 'yes/no';
  return source === 'null' ? 'nothing' : 'number';
}
