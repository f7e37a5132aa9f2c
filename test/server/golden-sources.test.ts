/**
 * What others rely on by name, frozen, as far as the sources say it: problem codes, events of webhooks and of the audit, and
 * the fields of the log. The rest is in golden.test.ts, which says how a difference is accepted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { problemCodes, statusOf } from '../../src/contract/problems.js';
import { problems } from '../../src/delivery/problems.js';

const sources = new URL('../../src/', import.meta.url).pathname;
const operatingPage = new URL('../../docs/operating.md', import.meta.url);
const golden = (name: string): string => new URL(`golden/${name}`, import.meta.url).pathname;

it('the codes of problems, with their statuses', async () => {
  const admin = problemCodes.map((code) => `admin ${code} ${statusOf(code)}\n`);
  const delivery = Object.values(problems).map(
    ({ code, status }) => `delivery ${code} ${status}\n`,
  );
  const lines = [...new Set([...admin, ...delivery])].sort();
  await expect(lines.join('')).toMatchFileSnapshot(golden('problem-codes.txt'));
});

/** Of the server and the command: what they write down, send and print. */
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('console/'),
);

const textOf = (file: string): string => readFileSync(join(sources, file), 'utf8');

/** What a pattern finds in all sources, each once, a line each. */
function linesOf(pattern: RegExp): string {
  const found = files.flatMap((file) => [...textOf(file).matchAll(pattern)]);
  const lines = new Set(found.map(([, name]) => `${name}\n`));
  expect(lines.size).toBeGreaterThan(20);
  return [...lines].sort().join('');
}

it('the names of metrics, also of those that not every server has', async () => {
  const names = linesOf(/['`](loadout_[a-z0-9_]+)['`]/g);
  await expect(names).toMatchFileSnapshot(golden('metric-names.txt'));
});

it('the names of events, of webhooks and of the audit', async () => {
  const things =
    'audit|content|environment|events|experiment|key|layers|metric|retention|sample-user|segment|session|store|token|user|webhook';
  const names = linesOf(new RegExp(`'((?:${things})\\.(?!(?:id|db)')[a-z]+(?:-[a-z]+)*)'`, 'g'));
  await expect(names).toMatchFileSnapshot(golden('event-names.txt'));
});

/** A node of the syntax tree (ESTree). */
// biome-ignore lint/suspicious/noExplicitAny: its members depend on its type.
type Node = any;

describe('log lines', () => {
  // The contract and the demo log nothing, and name events of games.
  const nodes = files
    .filter((file) => !file.startsWith('command/demo/') && !file.startsWith('contract/'))
    .flatMap((file) => nodesOf(parseAst(textOf(file), { lang: 'ts' }, file)));
  const events = [...new Set(nodes.flatMap(eventsOf))].sort();

  it('have these events and fields', async () => {
    const fields = new Set(nodes.flatMap(logFieldsOf).map((name) => `field ${name}\n`));
    const lines = [...events.map((name) => `event ${name}\n`), ...[...fields].sort()];
    expect(lines.length).toBeGreaterThan(60);
    await expect(lines.join('')).toMatchFileSnapshot(golden('log-fields.txt'));
  });

  it('have an event, each of them', () => {
    const without = nodes.filter((node) => isLogCall(node) && !logFieldsOf(node).includes('event'));
    expect(without.map(({ arguments: given }) => given.at(-1)?.value ?? given)).toEqual([]);
  });

  it('have no event that the page for operators leaves out', () => {
    const page = readFileSync(operatingPage, 'utf8');
    const [, section = ''] = page.split('### Log events\n');
    const [table = ''] = section.split('\n##');
    const listed = [...table.matchAll(/`([a-z][a-z_]+)`/g)].map(([, name]) => name);
    expect(events.filter((name) => !listed.includes(name))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

const levels = ['debug', 'info', 'warn', 'error', 'fatal', 'level'];

/** The values of a member `event`, of any object, but for events of the audit and of webhooks, which have a dot. */
function eventsOf({ type, key, value }: Node): string[] {
  if (type !== 'Property' || key.name !== 'event') return [];
  return [value, value.consequent, value.alternate]
    .filter((node) => node?.type === 'Literal')
    .map(({ value: name }) => name)
    .filter((name) => typeof name === 'string' && !name.includes('.'));
}

/** `log.warn(…)`, `this.#deps.log[level](…)`. */
function isLogCall({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const logger = callee.object.property?.name ?? callee.object.name;
  return logger === 'log' && levels.includes(callee.property.name);
}

/** What the first argument of a call of a logger names. */
function logFieldsOf(node: Node): string[] {
  if (!isLogCall(node) || node.arguments[0]?.type !== 'ObjectExpression') return [];
  return node.arguments[0].properties.flatMap(({ key, argument }: Node) =>
    argument?.type === 'ObjectExpression'
      ? argument.properties.map((inner: Node) => inner.key?.name ?? [])
      : (key?.name ?? []),
  );
}

function nodesOf(node: Node): Node[] {
  const nodes: Node[] = [];
  visit(node, (one) => nodes.push(one));
  return nodes;
}

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const value of Object.values(node)) {
    for (const child of [value].flat() as Node[]) {
      if (typeof child?.type === 'string') visit(child, onNode);
    }
  }
}
