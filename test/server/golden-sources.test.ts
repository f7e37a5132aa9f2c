/**
 * What others rely on by name, frozen, as far as the sources say it: problem codes, events of webhooks and of the audit, and
 * the fields of the log. The rest is in golden.test.ts, which says how a difference is accepted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { problemCodes, statusOf } from '../../src/contract/problems.js';
import { problems } from '../../src/delivery/problems.js';

const sources = new URL('../../src/', import.meta.url).pathname;
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
    'audit|content|environment|key|retention|sample-user|segment|session|store|token|user|webhook';
  const names = linesOf(new RegExp(`'((?:${things})\\.(?!(?:id|db)')[a-z]+(?:-[a-z]+)*)'`, 'g'));
  await expect(names).toMatchFileSnapshot(golden('event-names.txt'));
});

/** A node of the syntax tree (ESTree). */
// biome-ignore lint/suspicious/noExplicitAny: its members depend on its type.
type Node = any;

it('the events and fields of log lines', async () => {
  const lines = new Set<string>();
  for (const file of files) {
    const tree = parseAst(textOf(file), { lang: 'ts' }, file);
    visit(tree, (node) => {
      for (const line of namesOf(node)) lines.add(line);
    });
  }
  expect(lines.size).toBeGreaterThan(20);
  await expect([...lines].sort().join('')).toMatchFileSnapshot(golden('log-fields.txt'));
});

const levels = ['debug', 'info', 'warn', 'error', 'fatal'];

/** Of a call of a logger, what its first argument names; of any object, the events and codes in the member `event`. */
function namesOf({ type, callee, arguments: given, key, value }: Node): string[] {
  if (type === 'Property' && key.name === 'event' && value.type === 'Literal')
    return [`event ${value.value}\n`];
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return [];
  if (!levels.includes(callee.property.name)) return [];
  const logger = callee.object.property?.name ?? callee.object.name;
  if (logger !== 'log' || given[0]?.type !== 'ObjectExpression') return [];
  const names: string[] = given[0].properties.map((property: Node) => property.key?.name);
  return names.filter((name) => name !== undefined).map((name) => `field ${name}\n`);
}

function visit(node: Node, onNode: (node: Node) => void): void {
  onNode(node);
  for (const value of Object.values(node)) {
    for (const child of [value].flat() as Node[]) {
      if (typeof child?.type === 'string') visit(child, onNode);
    }
  }
}
