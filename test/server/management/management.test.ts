/** The part of the admin API that authoring needs: what it answers, what it keeps, and what it never tells. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { send } from '../../support/wire/exchange.js';
import { contentHash } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

describe('a PUT of a content', () => {
  it('says 201 for a new one and 200 for an edit, with revision, live, hash and sequence', async () => {
    const first = await game.tryPut('shop', { text: '{ "n": 1 }' });
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ id: 'shop', hash: contentHash('{"n":1}') });
    expect(first.json.live).toBe(first.json.revision);
    const second = await game.tryPut('shop', { text: '{"n":2}' });
    expect(second.status).toBe(200);
    expect(second.json.revision).toBeGreaterThan(first.json.revision);
    expect(second.json.sequence).toBeGreaterThan(first.json.sequence);
  });

  it('gives the hash of the highest line, whichever line it edits', async () => {
    await game.put('lines', '2', { appVersion: '2.0.0' });
    const put = await game.put('lines', '1', { appVersion: '1.0.0' });
    expect(put.hash).toBe(contentHash('2'));
  });

  it('leaves what it does not name as it is', async () => {
    await game.put('kept', '{"n":1}', { mapping: [{ segment: 's', when: {}, merge: { m: 1 } }] });
    await game.put('kept', '{"n":2}');
    expect((await game.wrapped('kept')).json.data).toEqual({ n: 2, m: 1 });
  });

  it('builds on the newest revision, a draft too', async () => {
    await game.put('drafted', '{"n":1}');
    const mapping = [{ segment: 's', when: {}, merge: { m: 1 } }];
    const draft = expectDone(await game.tryPut('drafted', { mapping, publish: false }));
    expect(draft.json.live).not.toBe(draft.json.revision);
    expect((await game.wrapped('drafted')).json.data).toEqual({ n: 1 });
    await game.put('drafted', '{"n":2}');
    expect((await game.wrapped('drafted')).json.data).toEqual({ n: 2, m: 1 });
  });

  it('stores the mapping as the text it was sent as', async () => {
    const mapping = '[{"segment":"s","when":{},"replace":{"e":1e400,"9":1.10,"1":"\\u0041\\/"}}]';
    await game.put('verbatim', '1', { mapping });
    const answer = await server.admin('GET', `${game.path}/contents/verbatim`);
    expect(answer.text).toContain('{"e":1e400,"9":1.10,"1":"\\u0041\\/"}');
  });
});

describe('the history of a content', () => {
  it('keeps every revision, and a rollback publishes an old one under a new number', async () => {
    const revisions: number[] = [];
    for (const n of [1, 2, 3]) revisions.push((await game.put('history', `${n}`)).revision);
    const rollback = await server.admin('POST', `${game.path}/contents/history/rollback`, {
      revision: revisions[0],
    });
    expectDone(rollback);
    expect(rollback.json.revision).toBeGreaterThan(revisions[2] ?? 0);
    expect((await game.plain('history')).text).toBe('1');
    const path = `${game.path}/contents/history/revisions`;
    expectDone(await server.admin('GET', path));
    for (const revision of revisions) {
      expect((await server.admin('GET', `${path}/${revision}`)).status).toBe(200);
    }
    expect((await server.admin('GET', `${path}/999999`)).status).toBe(404);
  });
});

describe('an API key', () => {
  it('is shown once, when it is made', async () => {
    const made = await makeKey(server, game.id);
    expect(made.key).toMatch(/^\S{20,}$/);
    const listed = await server.admin('GET', `${game.path}/keys`);
    expect(listed.text).toContain(made.id);
    expect(listed.text).not.toContain(made.key);
  });

  it('may be given, when it has 128 bits or more', async () => {
    const given = '0123456789abcdef0123456789abcdef';
    const made = await makeKey(server, game.id, { key: given });
    expect(made.key).toBe(given);
    const headers = { 'x-api-key': given };
    const answer = await game.ask('GET', '/api/v1/env/catalog', undefined, headers);
    expect(answer.status).toBe(200);
    const short = await server.admin('POST', `${game.path}/keys`, { key: 'short' });
    expect(short.status).toBe(400);
  });
});

describe('an environment', () => {
  it('cannot be made twice, whatever the case', async () => {
    for (const id of [game.id, game.id.toUpperCase()]) {
      const answer = await server.admin('POST', '/admin/v1/environments', { id });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('operators', () => {
  it('see health and readiness without a token', async () => {
    expect((await send(server.adminUrl, '/healthz')).status).toBe(200);
    expect((await send(server.adminUrl, '/readyz')).status).toBe(200);
  });

  it('see metrics that hold no input of users', async () => {
    const environment = await makeEnvironment(server, 'secret-environment');
    await environment.put('secret-content', '1');
    await environment.wrapped('secret-content', { u: 'secret-user', p: { secretkey: 1 } });
    await environment.plain('secret-other');
    const metrics = (await server.admin('GET', '/metrics')).text;
    expect(metrics).toMatch(/^# TYPE \w+ histogram$/m);
    expect(metrics).toMatch(/^\w+\{[^}]*404[^}]*\} [1-9]/m);
    expect(metrics).not.toMatch(/secret/);
    expect(metrics).not.toContain(environment.key);
  });

  it('see that a rule could not apply at delivery', async () => {
    await game.put('missed', '{"a":1}', {
      mapping: [
        { segment: 'base', when: { x: 1 }, merge: { extra: {} } },
        { segment: 's', when: {}, patch: [{ op: 'add', path: '/extra/n', value: 1 }] },
      ],
    });
    const count = async (): Promise<number> => {
      const { text } = await server.admin('GET', '/metrics');
      const lines = [...text.matchAll(/^\w*rule\w*(?:\{[^}]*\})? (\d+)$/gim)];
      expect(lines.length).toBeGreaterThan(0);
      return lines.reduce((sum, line) => sum + Number(line[1]), 0);
    };
    const before = await count();
    for (let i = 0; i < 6; i++) expect(await game.segments('missed')).toEqual([]);
    for (let i = 0; i < 6; i++) await game.segments('missed', { p: { x: 1 } });
    expect((await count()) - before).toBe(6);
  });
});
