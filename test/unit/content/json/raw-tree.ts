/**
 * A second, plain implementation for the kernel's tests: JSON as a tree of raw lexemes, parsed by recursion, edited in
 * place, printed minified. Slow and obvious on purpose; it shares no code with the kernel.
 */

export type RawTree = RawScalar | RawArray | RawObject;
export interface RawScalar {
  kind: 'scalar';
  raw: string;
}
export interface RawArray {
  kind: 'array';
  items: RawTree[];
}
export interface RawObject {
  kind: 'object';
  /** Keys with their quotes, as they are written. */
  members: { key: string; value: RawTree }[];
}

export function scalar(raw: string): RawScalar {
  return { kind: 'scalar', raw };
}

export function printRaw(tree: RawTree): string {
  if (tree.kind === 'scalar') return tree.raw;
  if (tree.kind === 'array') return `[${tree.items.map(printRaw).join(',')}]`;
  return `{${tree.members.map(({ key, value }) => `${key}:${printRaw(value)}`).join(',')}}`;
}

/** Parses minified JSON; `nodes` gets a row for every value, in document order: [keyStart, valueStart, valueEnd, next]. */
export function parseRaw(json: string, nodes: number[][] = []): RawTree {
  let at = 0;

  function token(pattern: RegExp): string {
    const found = new RegExp(pattern, 'sy');
    found.lastIndex = at;
    const text = found.exec(json)?.[0];
    if (text === undefined) throw new Error(`no ${pattern} at ${at} of ${json}`);
    at += text.length;
    return text;
  }

  function value(keyStart: number): RawTree {
    const node = [keyStart, at, 0, 0];
    nodes.push(node);
    const tree = body();
    node[2] = at;
    node[3] = nodes.length;
    return tree;
  }

  function body(): RawTree {
    if (json[at] === '[') {
      const items: RawTree[] = [];
      for (token(/\[/); json[at] !== ']'; ) {
        if (items.length > 0) token(/,/);
        items.push(value(0xffffffff));
      }
      token(/\]/);
      return { kind: 'array', items };
    }
    if (json[at] === '{') {
      const members: RawObject['members'] = [];
      for (token(/\{/); json[at] !== '}'; ) {
        if (members.length > 0) token(/,/);
        const keyStart = at;
        const key = token(STRING);
        token(/:/);
        members.push({ key, value: value(keyStart) });
      }
      token(/\}/);
      return { kind: 'object', members };
    }
    return scalar(token(SCALAR));
  }

  const tree = value(0xffffffff);
  if (at !== json.length) throw new Error(`more after the value at ${at} of ${json}`);
  return tree;
}

const STRING = /"(?:[^"\\]|\\.)*"/;
const SCALAR = /"(?:[^"\\]|\\.)*"|[-+.0-9a-zA-Z]+/;

/** RFC 7396 on raw trees: untouched text is never looked at. */
export function mergeRaw(target: RawTree | null, patch: RawTree): RawTree {
  if (patch.kind !== 'object') return patch;
  const members = target?.kind === 'object' ? [...target.members] : [];
  const last = new Map(patch.members.map(({ key, value }) => [textOf(key), { key, value }]));
  for (const [text, { key, value }] of last) {
    const places = members.flatMap((m, i) => (textOf(m.key) === text ? [i] : []));
    const place = places.at(-1);
    if (value.kind === 'scalar' && value.raw === 'null') {
      for (const i of places.reverse()) members.splice(i, 1);
    } else if (place === undefined) {
      members.push({ key, value: mergeRaw(null, value) });
    } else {
      const old = members[place]!;
      members[place] = { key: old.key, value: mergeRaw(old.value, value) };
    }
  }
  return { kind: 'object', members };
}

export interface RawOperation {
  op: string;
  path: string;
  from?: string;
  value?: RawTree;
}

/** One operation that is known to apply (another library said so). */
export function operateRaw(root: RawTree, operation: RawOperation): RawTree {
  const { op, path, from = '' } = operation;
  if (op === 'test') return root;
  if (op === 'remove') return editRaw(root, path, () => null);
  if (op === 'replace') return editRaw(root, path, () => operation.value!);
  if (op === 'add') return insertRaw(root, path, operation.value!);
  const value = readRaw(root, from);
  if (op === 'copy') return insertRaw(root, path, value);
  if (path === from) return root;
  return insertRaw(
    editRaw(root, from, () => null),
    path,
    value,
  );
}

function readRaw(tree: RawTree, path: string): RawTree {
  let found = tree;
  for (const token of tokensOf(path)) found = childOf(found, token);
  return found;
}

function childOf(tree: RawTree, token: string): RawTree {
  if (tree.kind === 'array') return tree.items[Number(token)]!;
  if (tree.kind === 'object') return tree.members.findLast((m) => textOf(m.key) === token)!.value;
  throw new Error(`${printRaw(tree)} has no ${token}`);
}

/** The tree with another value at `path`; `edit` gives null to remove it. */
function editRaw(tree: RawTree, path: string, edit: (old: RawTree) => RawTree | null): RawTree {
  const [token, ...rest] = tokensOf(path);
  if (token === undefined) return edit(tree)!;
  const below = pathOf(rest);
  const old = childOf(tree, token);
  const value = below === '' ? edit(old) : editRaw(old, below, edit);
  if (tree.kind === 'array') {
    const items = [...tree.items];
    items.splice(Number(token), 1, ...(value === null ? [] : [value]));
    return { kind: 'array', items };
  }
  const members = (tree as RawObject).members;
  if (value === null) {
    return { kind: 'object', members: members.filter((m) => textOf(m.key) !== token) };
  }
  const place = members.findLastIndex((m) => textOf(m.key) === token);
  return { kind: 'object', members: members.with(place, { key: members[place]!.key, value }) };
}

function insertRaw(tree: RawTree, path: string, value: RawTree): RawTree {
  const tokens = tokensOf(path);
  const last = tokens.pop();
  if (last === undefined) return value;
  return editRaw(tree, pathOf(tokens), (parent) => {
    if (parent.kind === 'array') {
      const index = last === '-' ? parent.items.length : Number(last);
      return { kind: 'array', items: parent.items.toSpliced(index, 0, value) };
    }
    const { members } = parent as RawObject;
    const place = members.findLastIndex((m) => textOf(m.key) === last);
    const member = { key: members[place]?.key ?? JSON.stringify(last), value };
    return {
      kind: 'object',
      members: place < 0 ? [...members, member] : members.with(place, member),
    };
  });
}

function tokensOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pathOf(tokens: readonly string[]): string {
  return tokens.map((t) => `/${t.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function textOf(key: string): string {
  return JSON.parse(key) as string;
}
