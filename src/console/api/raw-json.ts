/** Takes members out of JSON text, and puts them in, without changing how their values are spelled. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/** Whether the text is JSON as the admin API takes it: without comments and trailing commas. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The source of a member of an object, or of what stands deeper; null when it is not there. */
export function sourceAt(json: string, path: readonly (string | number)[]): string | null {
  const tree = parseTree(json);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  return node === undefined ? null : json.slice(node.offset, node.offset + node.length);
}

/** The sources of an array's elements; null when it is none. */
export function elementSources(json: string): string[] | null {
  const tree = parseTree(json);
  if (tree?.type !== 'array') return null;
  return (tree.children ?? []).map(({ offset, length }) => json.slice(offset, offset + length));
}

/** The sources of an object's members, in order; null when it is none. */
export function memberSources(json: string): Map<string, string> | null {
  const tree = parseTree(json);
  if (tree?.type !== 'object') return null;
  const members = new Map<string, string>();
  for (const { children } of tree.children ?? []) {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) continue;
    members.set(String(key.value), json.slice(value.offset, value.offset + value.length));
  }
  return members;
}

/** JSON text of an object: `fields` as `JSON.stringify` writes them, `sources` as they are. */
export function objectSource(
  fields: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string | undefined>>,
): string {
  const members = [
    ...Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ...Object.entries(sources)
      .filter(([, source]) => source !== undefined)
      .map(([name, source]) => `${JSON.stringify(name)}:${source}`),
  ];
  return `{${members.join(',')}}`;
}
