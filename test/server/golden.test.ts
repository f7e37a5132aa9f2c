/**
 * What others rely on by name, frozen: both OpenAPI documents, metrics with their labels, events with their members, and the
 * help of every command. Someone looks at every difference; one that is wanted is written into CHANGELOG.md and accepted
 * as CONTRIBUTING.md says.
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { expectDone, makeEnvironment } from '../support/server/environment.js';
import { runLoadout } from '../support/server/run-loadout.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { fetchDocument } from '../support/specification/admin-operations.js';
import type { Operation } from '../support/specification/openapi.js';
import { WebhookReceiver } from '../support/wire/webhook-receiver.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const golden = (name: string): string => path(`golden/${name}`);

const webhooks = '/admin/v1/webhooks';

let server: LoadoutServer;
beforeAll(async () => {
  server = await startServer({ listeners: 1, flags: ['--webhooks-to-local'] });
});

/** Members sorted, since their order means nothing, and without prose: only responses name their codes in a description. */
function textOf(document: unknown): string {
  return `${JSON.stringify(named(document, ''), null, 1)}\n`;
}

function named(value: unknown, parent: string): unknown {
  if (Array.isArray(value)) return value.map((element) => named(element, ''));
  if (typeof value !== 'object' || value === null) return value;
  // The members of these are names of somebody's choice, `description` among them.
  const isMap = ['properties', 'schemas', 'paths', 'responses', 'patternProperties'].includes(
    parent,
  );
  const members = Object.entries(value)
    .filter(([key, inner]) => isMap || !isProse(key, inner) || codes.test(String(inner)))
    .map(([key, inner]) => [key, named(inner, isMap ? '' : key)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isProse = (key: string, value: unknown): boolean =>
  ['description', 'summary', 'title'].includes(key)
    ? typeof value === 'string'
    : ['example', 'examples'].includes(key);

/** `Not Found: `content_not_found`.` */
const codes = /^[A-Z][A-Za-z ]+: (?:`[a-z_]+`(?:, )?)+\.$/;

it.each([
  ['openapi', '/openapi.json'],
  ['openapi-delivery', '/openapi-delivery.json'],
])('the document %s', async (name, path) => {
  const { json } = await server.admin('GET', path);
  const { servers: _address, ...document } = json;
  await expect(textOf(document)).toMatchFileSnapshot(golden(`${name}.json`));
});

/** Labels whose values are numbers of a process or a bucket, of a machine or a build, or an editor's choice. */
const namesNothing: ReadonlySet<string> = new Set([
  ...['listener', 'le', 'version', 'node', 'platform', 'arch', 'environment'],
]);

it('the names, types and labels of metrics', async () => {
  const game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
  expect((await game.wrapped('shop', { u: 'ada' })).status).toBe(200);
  expect((await game.wrapped('no-such-content', { u: 'ada' })).status).toBe(404);
  const text = await eventually('the rejected request was reported', 20_000, async () => {
    const scraped = await server.admin('GET', '/metrics');
    return scraped.text.includes('loadout_environment_refused_total{') ? scraped.text : null;
  });
  const types = new Map<string, string>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    types.set(name, type);
  }
  const labels = new Map<string, Set<string>>([...types.keys()].map((name) => [name, new Set()]));
  for (const [, sample = '', list = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const name = types.has(sample) ? sample : sample.replace(/_(?:bucket|sum|count)$/, '');
    for (const [, label = '', value] of list.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.get(name)?.add(namesNothing.has(label) ? label : `${label}=${value}`);
    }
  }
  const lines = [...types].map(([name, type]) => {
    const own = [...(labels.get(name) ?? [])].sort().join(',');
    return `${name} ${type}${own === '' ? '' : ` {${own}}`}\n`;
  });
  await expect(lines.sort().join('')).toMatchFileSnapshot(golden('metrics.txt'));
});

describe('the help', () => {
  /** Of a command and of all below it, as they are listed. */
  async function helpOf(path: readonly string[]): Promise<string> {
    const { code, stdout } = await runLoadout([...path, '--help']);
    expect(code).toBe(0);
    const commands = stdout.slice(stdout.search(/^(?:Commands|Server):$/m));
    const names = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
    const below =
      commands.length === 1
        ? []
        : await inTurn(
            names.filter((name) => name !== 'help'),
            path,
          );
    return [`$ loadout ${[...path, '--help'].join(' ')}\n${stdout}\n`, ...below].join('');
  }

  async function inTurn(names: readonly string[], path: readonly string[]): Promise<string[]> {
    const texts: string[] = [];
    for (const name of names) texts.push(await helpOf([...path, name]));
    return texts;
  }

  it('of every command', async () => {
    await expect(await helpOf([])).toMatchFileSnapshot(golden('help.txt'));
  });
});

describe('what is sent and kept of every operation that succeeds', () => {
  it('as events of webhooks and of the audit', { timeout: 60_000 }, async () => {
    const receiver = await WebhookReceiver.start();
    const webhook = expectDone(await server.admin('POST', webhooks, { url: receiver.url })).json;
    const { callEveryOperation } = await import(path('../client/every-operation.ts'));
    await callEveryOperation(await caller(), 'golden');
    expectDone(await server.admin('POST', `${webhooks}/${webhook.id}/test`, {}));

    await eventually('all is sent', 15_000, async () => {
      const { json } = await server.admin('GET', `${webhooks}/${webhook.id}/deliveries?limit=100`);
      return json.deliveries.every(({ status }: { status: string }) => status === 'delivered');
    });
    const sent = receiver.received.map(({ body }) => ({ name: body.type, about: body.data }));
    await expect(linesOf(sent)).toMatchFileSnapshot(golden('webhook-events.txt'));
    const { events } = (await server.admin('GET', '/admin/v1/audit?limit=1000')).json;
    const audited = events.map(({ action, details }: Record<string, unknown>) => ({
      ...{ name: action, about: details },
    }));
    expect(audited.length).toBeGreaterThan(20);
    await expect(linesOf(audited)).toMatchFileSnapshot(golden('audit-events.txt'));
  });

  interface Event {
    readonly name: string;
    readonly about: unknown;
  }

  /** Of each name a line: all members that one of its events has. */
  function linesOf(events: readonly Event[]): string {
    const members = new Map<string, Set<string>>();
    for (const { name, about } of events) {
      const all = members.get(name) ?? new Set();
      for (const member of membersOf(about)) all.add(member);
      members.set(name, all);
    }
    const lines = [...members].map(([name, all]) => `${[name, ...[...all].sort()].join(' ')}\n`);
    return lines.sort().join('');
  }

  /** The members of a value by their paths; those of a list are of any of its elements. */
  function membersOf(value: unknown, at = ''): string[] {
    if (Array.isArray(value)) {
      const members = value.flatMap((element) => membersOf(element, `${at}[]`));
      return members.length === 0 ? [`${at}[]`] : [...new Set(members)];
    }
    if (typeof value !== 'object' || value === null) return at === '' ? [] : [at];
    const members = Object.entries(value).flatMap(([name, inner]) =>
      membersOf(inner, at === '' ? name : `${at}.${name}`),
    );
    return members.sort();
  }
});

/** Calls by the names of both documents; what it gives and takes is JSON, or text. */
async function caller() {
  const of = async (document: string, url: string, headers: Record<string, string>) => {
    const { operations } = await fetchDocument(server, document);
    return (id: string, given: Given) =>
      call(
        operations.find((operation) => operation.id === id),
        url,
        headers,
        given,
      );
  };
  const adminAs = (token: string) =>
    of('/openapi.json', server.adminUrl, {
      authorization: `Bearer ${token}`,
      'x-loadout-console': '1',
    });
  return {
    name: 'golden',
    admin: await adminAs(ownerToken),
    adminAs: (token: string) => async (id: string, given: Given) =>
      (await adminAs(token))(id, given),
    delivery: (key: string) => async (id: string, given: Given) => {
      const deliver = await of('/openapi-delivery.json', server.deliveryUrl, { 'x-api-key': key });
      return deliver(id, given);
    },
  };
}

interface Given {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function call(
  operation: Operation | undefined,
  base: string,
  headers: Record<string, string>,
  { path: names = {}, query = {}, header = {}, body }: Given,
): Promise<unknown> {
  if (operation === undefined) throw new Error('There is no such operation.');
  const { method, bodyType } = operation;
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(`${names[name]}`),
  );
  const url = new URL(`${filled}?${new URLSearchParams(query)}`, base);
  const type = body === undefined || bodyType === null ? {} : { 'content-type': bodyType };
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  // A GET may have no body; of one without parameters only the type is wanted.
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...type, ...header },
    body: sent,
  });
  if (!response.ok) throw new Error(`${operation.id}: ${response.status} ${await response.text()}`);
  if (url.pathname.endsWith('/stream')) {
    const reader = response.body?.getReader();
    const piece = await reader?.read();
    await reader?.cancel();
    return Buffer.from(piece?.value ?? []).toString();
  }
  const text = await response.text();
  return response.headers.get('content-type')?.includes('/json') ? JSON.parse(text) : text;
}
