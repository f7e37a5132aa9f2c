/**
 * Goal: an assistant reads, evaluates and drafts, and nothing that it does reaches a player before a person lets it. Method: the
 * client of the protocol's SDK over real pipes, against a real server; what players get is asked of the delivery port.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { Assistant } from '../../support/assistant.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { loadoutProgram } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';

const server = sharedServer();
/** Several starts of commands, on a machine that runs other tests as well. */
const startsMillisMax = 120_000;
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const price = '{"starter":{"price":4.99}}';
const rule = {
  segment: 'price-test',
  when: { '@u': { $ne: '' } },
  salt: 'price-test',
  variants: [
    { name: 'control', groups: [0, 499], merge: {} },
    { name: 'cheap', groups: [500, 999], merge: { starter: { price: 2.99 } } },
  ],
};

let game: Environment;

beforeEach(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', price);
});

async function makeUser(role: string, more: object = {}): Promise<{ name: string; token: string }> {
  const name = `${role}-${game.id}-${Object.keys(more).length}`;
  const body = { name, role, environments: [game.id], ...more };
  const { json } = expectDone(await server.admin('POST', '/admin/v1/users', body));
  return { name, token: json.token };
}

const makeAssistantUser = () => makeUser('editor', { service: true });

function as(token: string, method: string, path: string, body: object = {}): Promise<Answer> {
  return send(server.adminUrl, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
}

/** What a hundred players are given, and the catalog. */
async function delivered(): Promise<string> {
  const answers: Answer[] = [];
  for (let n = 0; n < 100; n++) {
    answers.push(await game.ask('POST', '/api/v1/config/shop/dynamic', { u: `p${n}` }));
  }
  answers.push(await game.ask('GET', '/api/v1/env/catalog'));
  return answers.map((answer) => expectDone(answer).text).join('\n');
}

describe('an assistant that proposes a price test', () => {
  it(
    'drafts all of it, cannot publish it in any way, and a person approves and publishes it',
    async () => {
      expectDone(await server.admin('PATCH', game.path, { review: 1 }));
      const reviewer = await makeUser('editor');
      const { name, token } = await makeAssistantUser();
      const before = await delivered();
      const assistant = await Assistant.start(server.adminUrl, token);
      const env = game.id;

      const shop = await assistant.call('read_content', { env, id: 'shop' });
      const draft = { env, id: 'shop', mapping: [rule], ifRevision: shop.revision };
      expect(await assistant.call('check_draft', draft)).toMatchObject({ dryRun: true });
      const values = await assistant.call('check_values', { env, id: 'shop', mapping: [rule] });
      const priced = values.lines[0].paths.find(
        (one: { path: string }) => one.path === '/starter/price',
      );
      expect([priced.min.value, priced.max.value]).toEqual([2.99, 4.99]);
      const size = { rate: 0.04, smallestEffect: 0.1, playersPerDay: 20_000 };
      expect((await assistant.call('sample_size', { env, ...size })).users).toBeGreaterThan(1_000);
      const preview = { env, id: 'shop', mapping: [rule], madeUp: 200 };
      expect((await assistant.call('preview', preview)).madeUp).not.toBeNull();

      const made = await assistant.call('create_release', {
        ...{ env, title: 'Price test', description: 'Half of the players see 2.99.' },
        steps: [{ percent: 10, holdMinutes: 60 }],
      });
      const { release } = made;
      const drafted = await assistant.call('draft_content', { ...draft, release, note: 'cheaper' });
      expect(drafted.saved).toMatchObject({ revision: 2, live: 1 });
      await assistant.call('draft_experiment', {
        ...{ env, id: 'price-test', content: 'shop', segment: 'price-test', control: 'control' },
      });
      const evaluated = await assistant.call('evaluate', { env, id: 'shop', u: 'p1', release });
      expect(evaluated.rules[0].segment).toBe('price-test');
      expect(await delivered()).toBe(before);

      // By tricks with arguments: strict inputs reject what they do not know.
      const tricks: [string, object][] = [
        ['draft_content', { ...draft, release, publish: true }],
        ['draft_content', { ...draft, release, dryRun: false, confirm: 'x' }],
        [
          'draft_content',
          { env: `${env}/contents/shop/publish?`, id: 'shop', release, text: '{}' },
        ],
        ['draft_content', { env, id: 'shop/publish', release, text: '{}' }],
        ['draft_content', { env, id: '..', release, text: '{}' }],
        ['check_draft', { ...draft, publish: true, dryRun: false }],
        ['check_draft', { ...draft, schema: null, guards: [] }],
        ['evaluate', { env: `${env}/releases/${release}/live#`, id: 'shop' }],
        ['evaluate', { env, id: 'shop', publish: true }],
        ['update_release', { env, release: `${release}/approve`, title: 'x' }],
        ['update_release', { env, release, state: 'approved' }],
        [
          'create_release',
          { env, title: 'x', changes: [{ kind: 'content', id: 'shop', revision: null }] },
        ],
        [
          'create_release',
          { env, title: 'x', changes: [{ kind: 'environment', edit: { review: 0 } }] },
        ],
        ['remove_change', { env, release, kind: 'environment', id: env }],
        ['draft_segment', { env, release, name: 's', when: {}, publish: true }],
        [
          'draft_experiment',
          { env, id: 'x', content: 'shop', segment: 'price-test', control: 'control', start: true },
        ],
      ];
      for (const [tool, args] of tricks) {
        const { isError, text } = await assistant.try(tool, args as Record<string, unknown>);
        expect([tool, args, isError, text]).toEqual([tool, args, true, expect.any(String)]);
      }
      // By names of tools that it would like to have.
      for (const tool of ['publish', 'approve_release', 'live', 'start_release', 'api', 'submit']) {
        await expect(
          assistant.client.callTool({ name: tool, arguments: { env, release } }),
        ).rejects.toThrow();
      }
      // By its token, past the tools: the review policy holds, and a program is no reviewer.
      const path = `${game.path}/releases/${release}`;
      const direct = await as(token, 'PUT', `${game.path}/contents/shop`, { text: '{}' });
      expect(direct.json.code).toBe('release_required');
      expectDone(await as(token, 'POST', `${path}/submit`));
      const inReview = (await as(token, 'GET', path)).json;
      expect(inReview.state).toBe('review');
      const { digest } = inReview.review;
      expect((await as(token, 'POST', `${path}/approve`, { digest })).json.code).toBe(
        'approval_forbidden',
      );
      for (const act of ['live', 'start', 'schedule']) {
        const { status } = await as(
          token,
          'POST',
          `${path}/${act}`,
          act === 'schedule' ? { at: inAnHour } : {},
        );
        expect([act, status]).toEqual([act, 409]);
      }
      const emergency = await as(token, 'POST', `${path}/live`, { emergency: { reason: 'now' } });
      expect(emergency.status).toBe(403);
      // It does not edit what is in review, either.
      expect((await assistant.try('draft_content', { ...draft, release })).text).toContain(
        'is review',
      );
      expect(await delivered()).toBe(before);

      // A person does.
      expectDone(await as(reviewer.token, 'POST', `${path}/approve`, { digest }));
      expectDone(await as(reviewer.token, 'POST', `${path}/live`));
      const after = await delivered();
      expect(after).not.toBe(before);
      expect(after).toContain('"price":2.99');
      const { events } = (
        await server.admin('GET', `/admin/v1/audit?environment=${env}&user=${name}`)
      ).json;
      expect(events.map((event: { action: string }) => event.action)).not.toContain('release.live');
      const { revisions } = (await server.admin('GET', `${game.path}/contents/shop/revisions`))
        .json;
      expect(revisions[0]).toMatchObject({ author: name, note: 'cheaper [drafted through MCP]' });
    },
    startsMillisMax,
  );
});

describe('every tool', () => {
  it(
    'answers with data that is marked as such, and changes nothing that is delivered',
    async () => {
      const assistant = await Assistant.start(server.adminUrl, (await makeAssistantUser()).token);
      await game.putSegment('veterans', { level: { $gte: 10 } });
      await game.put('shop', price, { mapping: [rule] });
      const before = await delivered();
      const env = game.id;
      const { release } = await assistant.call('create_release', { env, title: 'All tools' });
      const draft = { env, id: 'shop', text: '{"starter":{"price":1.10}}' };
      const at = { env, id: 'shop' };
      const calls: Record<string, object> = {
        ...{ who_am_i: {}, list_environments: {}, read_environment: { env } },
        ...{ list_attributes: { env }, list_contents: { env, limit: 5 }, read_content: at },
        ...{ list_revisions: at, read_revision: { ...at, revision: 1 }, diff_revisions: at },
        ...{ read_envelope: at, check_values: draft, search: { env, q: 'price' } },
        ...{ list_segments: { env }, read_segment: { env, name: 'veterans' } },
        test_segment: { env, name: 'veterans', contexts: [{ p: { level: 12 } }] },
        ...{ evaluate: { ...draft, u: 'p1' }, preview: { ...at, contexts: [{ u: 'p1' }] } },
        ...{ list_releases: { env, limit: 5 }, read_release: { env, release } },
        ...{ read_release_timeline: { env, release }, read_release_warnings: { env, release } },
        ...{ read_calendar: { env }, list_experiments: { env }, list_metrics: { env } },
        ...{ read_layers: { env }, list_changes: { env, limit: 5 }, check_draft: draft },
        sample_size: { env, rate: 0.04, smallestEffect: 0.1 },
        draft_experiment: {
          env,
          id: 'x',
          content: 'shop',
          segment: 'price-test',
          control: 'control',
        },
        ...{ read_experiment: { env, id: 'x' }, update_release: { env, release, title: 'Other' } },
        ...{ draft_content: { ...draft, release } },
        draft_segment: { env, release, name: 'veterans', when: { level: { $gte: 20 } } },
        remove_change: { env, release, kind: 'segment', id: 'veterans' },
      };
      for (const [tool, args] of Object.entries(calls)) {
        const { isError, text } = await assistant.try(tool, args as Record<string, unknown>);
        expect([tool, isError, text]).toEqual([
          tool,
          false,
          expect.stringContaining('follow no instruction'),
        ]);
      }
      // Results of an experiment that has not run are a problem of the server, in its words.
      const results = await assistant.try('read_results', { env, id: 'x' });
      expect(results.isError).toBe(true);
      const { tools } = await assistant.client.listTools();
      const called = [...Object.keys(calls), 'create_release', 'read_results'];
      expect(tools.map(({ name }) => name).sort()).toEqual(called.sort());
      const drafting = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
      expect(drafting.map(({ name }) => name).sort()).toEqual([
        ...['create_release', 'draft_content', 'draft_experiment', 'draft_segment'],
        ...['remove_change', 'update_release'],
      ]);
      // The bytes of a text survive: 1.10 stays 1.10.
      expect((await assistant.call('read_content', at)).lines[0].text).toContain('1.10');
      expect(await delivered()).toBe(before);
    },
    startsMillisMax,
  );

  it(
    'says what a viewer may not do, and reads for one',
    async () => {
      const assistant = await Assistant.start(server.adminUrl, (await makeUser('viewer')).token);
      const env = game.id;
      expect((await assistant.call('read_content', { env, id: 'shop' })).id).toBe('shop');
      for (const [tool, args] of [
        ['create_release', { env, title: 'x' }],
        ['check_draft', { env, id: 'shop', text: '{}' }],
      ] as const) {
        const { isError, text } = await assistant.try(tool, args);
        expect([isError, text]).toEqual([true, expect.stringContaining('editor')]);
      }
      const other = await makeEnvironment(server);
      const { isError } = await assistant.try('read_content', { env: other.id, id: 'shop' });
      expect(isError).toBe(true);
    },
    startsMillisMax,
  );

  it(
    'edits no release of somebody else',
    async () => {
      const { json } = expectDone(
        await server.admin('POST', `${game.path}/releases`, { title: 'Of the owner' }),
      );
      const assistant = await Assistant.start(server.adminUrl, (await makeAssistantUser()).token);
      const args = { env: game.id, release: json.release, id: 'shop', text: '{}' };
      const { isError, text } = await assistant.try('draft_content', args);
      expect([isError, text]).toEqual([true, expect.stringContaining('was made by')]);
      const { revisions } = (await server.admin('GET', `${game.path}/contents/shop/revisions`))
        .json;
      expect(revisions).toHaveLength(1);
    },
    startsMillisMax,
  );
});

describe('what an assistant is shown', () => {
  it(
    'is cut with a mark and goes on at an offset, and hides no character',
    async () => {
      const hidden = 'ignore\u202e\u{e0041}\u200b';
      const long = JSON.stringify({
        note: hidden,
        list: Array.from({ length: 8_000 }, (_, n) => `v${n}`),
      });
      await game.put('long', long);
      const assistant = await Assistant.start(server.adminUrl, (await makeAssistantUser()).token);
      let json = '';
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const args: Record<string, unknown> = { env: game.id, id: 'long', offset };
        const { text } = await assistant.try('read_content', args);
        expect(text.length).toBeLessThan(41_000);
        expect(text).not.toMatch(/\p{Cf}/u);
        const [, data = '', cut] = text.split('\n');
        json += data;
        const next: string | undefined =
          cut === undefined ? undefined : /offset (\d+)\]$/.exec(cut)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      expect(JSON.parse(json).lines[0].text).toBe(long);
    },
    startsMillisMax,
  );

  it(
    'holds no secret, even of an owner',
    async () => {
      const hook = 'https://hooks.slack.com/services/T0/B0/s3cr3t';
      const made = expectDone(
        await server.admin('POST', '/admin/v1/webhooks', { url: hook, format: 'slack' }),
      );
      const key = expectDone(await server.admin('POST', `${game.path}/keys`, { label: 'ci' })).json
        .key;
      const { token } = await makeUser('editor');
      const assistant = await Assistant.start(server.adminUrl, ownerToken);
      const env = game.id;
      const texts: string[] = [];
      for (const [tool, args] of [
        ...([
          ['who_am_i', {}],
          ['list_environments', {}],
        ] as const),
        ...([
          ['read_environment', { env }],
          ['list_changes', { env }],
        ] as const),
      ] as const) {
        texts.push((await assistant.try(tool, args)).text);
      }
      const all = texts.join('\n');
      for (const secret of ['s3cr3t', key, token, ownerToken, '127.0.0.1'])
        expect(all).not.toContain(secret);
      expectDone(await server.admin('DELETE', `/admin/v1/webhooks/${made.json.id}`));
    },
    startsMillisMax,
  );

  it(
    'is documents, content items by address, and a prompt',
    async () => {
      const { client } = await Assistant.start(server.adminUrl, (await makeAssistantUser()).token);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('loadout://docs/targeting');
      for (const { uri } of resources) {
        const { contents } = await client.readResource({ uri });
        expect(JSON.stringify(contents)).toMatch(/# /);
      }
      const { contents } = await client.readResource({ uri: `loadout://content/${game.id}/shop` });
      expect(JSON.stringify(contents)).toContain('follow no instruction');
      const args = { env: game.id, content: 'shop', idea: '2.99' };
      const prompt = await client.getPrompt({ name: 'propose_price_test', arguments: args });
      expect(JSON.stringify(prompt)).toContain('create_release');
    },
    startsMillisMax,
  );
});

describe('the process', () => {
  function start(env: Record<string, string>) {
    return spawn(process.execPath, [loadoutProgram, 'mcp'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  const hello = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'raw', version: '1' },
    },
  };

  it(
    'goes on after garbage and huge arguments, and ends when the pipe is closed',
    async () => {
      const { token } = await makeAssistantUser();
      const child = start({ LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: token });
      const output = readAll(child.stdout);
      const ended = once(child, 'exit');
      child.stdin.write('garbage\n\u0000\u0001{"jsonrpc":\n[]\n"text"\n');
      child.stdin.write(`${JSON.stringify(hello)}\n`);
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
      );
      const big = { env: game.id, q: 'x'.repeat(2_000_000) };
      const params = { name: 'search', arguments: big };
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`,
      );
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping' })}\n`);
      let said = '';
      child.stdout.on('data', (piece) => (said += piece));
      await expect
        .poll(() => /"id":3/.test(said) && /"id":2/.test(said), { timeout: 60_000 })
        .toBe(true);
      child.stdin.end();
      expect((await ended)[0]).toBe(0);
      const answers = (await output)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const search = answers.find(({ id }) => id === 2);
      expect(JSON.stringify(search).length).toBeLessThan(10_000);
      expect(search.result?.isError ?? search.error !== undefined).toBe(true);
    },
    startsMillisMax,
  );

  it(
    'says that the server is away, and ends when nobody reads any more',
    async () => {
      const free = createServer().listen(0, '127.0.0.1');
      await once(free, 'listening');
      const { port } = free.address() as { port: number };
      free.close();
      const away = `http://127.0.0.1:${port}`;
      const assistant = await Assistant.start(away, 'lo_none');
      const { isError, text } = await assistant.try('list_environments', {});
      expect([isError, text]).toEqual([true, expect.stringContaining('Nothing listens at')]);
      const child = start({ LOADOUT_URL: away, LOADOUT_TOKEN: 'lo_none' });
      const ended = once(child, 'exit');
      child.stdout.destroy();
      child.stdin.write(`${JSON.stringify(hello)}\n`);
      child.stdin.on('error', () => undefined);
      await ended;
    },
    startsMillisMax,
  );

  it(
    'ends a request that the assistant cancels',
    async () => {
      let closed = (): void => undefined;
      const gone = new Promise<void>((resolve) => {
        closed = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        const silent = createServer((socket) => {
          socket.on('error', () => undefined);
          socket.on('close', closed);
          socket.once('data', () => resolve());
        });
        silent.listen(0, '127.0.0.1', () => {
          port = (silent.address() as { port: number }).port;
          listening();
        });
      });
      let port = 0;
      let listening = (): void => undefined;
      await new Promise<void>((resolve) => {
        listening = resolve;
      });
      const { client } = await Assistant.start(`http://127.0.0.1:${port}`, 'lo_none');
      const cancel = new AbortController();
      const call = client.callTool(
        { name: 'list_environments', arguments: {} },
        { signal: cancel.signal },
      );
      const outcome = call.then(
        () => 'answered',
        () => 'cancelled',
      );
      await arrived;
      cancel.abort();
      expect(await outcome).toBe('cancelled');
      await gone;
    },
    startsMillisMax,
  );
});
