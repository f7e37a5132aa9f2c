import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../../src/contract/events.js';
import { webhooksMax } from '../../../../src/contract/limits.js';
import { isSigningSecret } from '../../../../src/contract/signing-secret.js';
import { WebhookDispatcher } from '../../../../src/management/webhooks/dispatcher.js';
import { status, WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { type Answer, type Harness, startApi, tokenOf } from '../harness.js';

const path = '/admin/v1/webhooks';
const url = 'https://example.com/hooks/T0K3N?x=1';

async function make(api: Harness, more: object = {}): Promise<Answer['body']> {
  const made = await api.call('POST', path, { url, ...more });
  expect(`${made.status} ${made.status === 201 ? '' : made.text}`).toBe('201 ');
  return made.body;
}

async function audited(api: Harness): Promise<Answer['body'][]> {
  return (await api.call('GET', '/admin/v1/audit')).body.events;
}

describe('a webhook', () => {
  it('is made with what it is given, and shows its secret this once', async () => {
    const api = await startApi();
    const made = await make(api, {
      description: 'chat',
      environments: ['dev'],
      events: ['content.published', 'key.revoked'],
    });
    const { secret, ...webhook } = made;
    expect(isSigningSecret(secret)).toBe(true);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^webhook_[0-9a-f]{16}$/),
      url,
      format: 'loadout',
      description: 'chat',
      environments: ['dev'],
      events: ['content.published', 'key.revoked'],
      enabled: true,
      disabledAt: null,
      disabledReason: '',
      failures: 0,
      failingSince: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      secretBeforeUntil: null,
    });
    expect((await api.call('GET', `${path}/${made.id}`)).body).toEqual(webhook);
    expect((await api.call('GET', path)).body).toEqual({ webhooks: [webhook] });
  });

  it('hears everything unless it is told otherwise', async () => {
    const api = await startApi();
    expect(await make(api)).toMatchObject({ environments: null, events: null, enabled: true });
  });

  it('takes a secret of its maker', async () => {
    const api = await startApi();
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect((await make(api, { secret })).secret).toBe(secret);
  });

  it.each([
    [{}, 'url'],
    [{ url: 'example.com' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'https://me:pw@example.com/' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'url'],
    [{ url, environments: [] }, 'environments'],
    [{ url, environments: ['dev', 'dve'] }, 'environments[1]'],
    [{ url, events: [] }, 'events'],
    [{ url, events: ['content.eaten'] }, 'events[0]'],
    [{ url, events: ['webhook.test'] }, 'events[0]'],
    [{ url, description: 'x'.repeat(2_001) }, 'description'],
    [{ url, secret: 'whsec_short' }, 'secret'],
    [{ url, colour: 'red' }, ''],
  ])('is refused with %j', async (body, at) => {
    const api = await startApi();
    const answer = await api.call('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_body', errors: [{ path: at }] });
  });

  it('is refused where it would lead to this machine, unless the server allows it', async () => {
    const api = await startApi();
    const { store } = api;
    const strict = await startApi(
      {},
      {
        webhooks: new WebhookDispatcher({
          store,
          log: { info: () => undefined, warn: () => undefined, error: () => undefined },
          now: Date.now,
          toLocal: false,
        }),
      },
    );
    for (const local of ['http://127.0.0.1:1/', 'http://localhost/', 'http://[::ffff:7f00:1]/']) {
      expect((await strict.call('POST', path, { url: local })).body).toMatchObject({
        code: 'invalid_body',
        errors: [{ path: 'url', message: expect.stringMatching(/nothing is sent/) }],
      });
      await make(api, { url: local });
    }
    const made = await make(strict);
    const edit = await strict.call('PATCH', `${path}/${made.id}`, { url: 'http://0.0.0.0/' });
    expect(edit.status).toBe(400);
  });

  it('is refused beyond the limit', async () => {
    const api = await startApi();
    for (let n = 0; n < webhooksMax; n++) await make(api);
    const answer = await api.call('POST', path, { url });
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('limit_reached');
  });

  it('can be changed field by field, switched off and on', async () => {
    const api = await startApi();
    const { id, secret: _, ...made } = await make(api, { environments: ['dev'] });
    const edit = async (body: object): Promise<unknown> =>
      (await api.call('PATCH', `${path}/${id}`, body)).body;
    const first = { id, ...made, environments: null, events: ['key.created'] };
    expect(await edit({ environments: null, events: ['key.created'] })).toEqual(first);
    const second = { ...first, url: 'https://example.org/', description: 'x' };
    expect(await edit({ url: 'https://example.org/', description: 'x' })).toEqual(second);
    expect(await edit({ enabled: false })).toEqual({
      ...second,
      enabled: false,
      disabledAt: '2026-01-01T00:00:00.000Z',
      disabledReason: 'by hand',
    });
    expect(await edit({ enabled: true })).toEqual(second);
    expect(await edit({})).toEqual(second);
    expect(await edit({ events: ['nothing'] })).toMatchObject({ code: 'invalid_body' });
    expect(await edit({ environments: ['nowhere'] })).toMatchObject({ code: 'invalid_body' });
  });

  it('is gone when it is deleted, with its deliveries', async () => {
    const api = await startApi();
    const { id } = await make(api);
    await api.dev('POST', '/keys', {});
    expect((await api.call('DELETE', `${path}/${id}`)).body).toMatchObject({ id, url });
    expect((await api.call('GET', `${path}/${id}`)).body.code).toBe('webhook_not_found');
    const rows = await api.store.read((db) =>
      db.selectFrom('webhookDeliveries').selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });

  it('changes its secret, and says how long the one before it counts', async () => {
    const api = await startApi();
    const made = await make(api);
    const changed = await api.call('POST', `${path}/${made.id}/secret`);
    expect(changed.body).toMatchObject({
      id: made.id,
      secretBeforeUntil: '2026-01-02T00:00:00.000Z',
    });
    expect(isSigningSecret(changed.body.secret)).toBe(true);
    expect(changed.body.secret).not.toBe(made.secret);
    const secret = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    const given = await api.call('POST', `${path}/${made.id}/secret`, { secret });
    expect(given.body.secret).toBe(secret);
    const bad = await api.call('POST', `${path}/${made.id}/secret`, { secret: 'x' });
    expect(bad.body.code).toBe('invalid_body');
  });

  it('leaves neither its secret nor the path of its URL in the audit', async () => {
    const api = await startApi();
    const made = await make(api);
    const changed = await api.call('POST', `${path}/${made.id}/secret`);
    await api.call('PATCH', `${path}/${made.id}`, {});
    await api.call('PATCH', `${path}/${made.id}`, { enabled: false });
    await api.call('DELETE', `${path}/${made.id}`);
    const events = (await audited(api)).filter(({ action }) => action.startsWith('webhook.'));
    expect(events.map(({ action }) => action)).toEqual([
      'webhook.delete',
      'webhook.update',
      'webhook.secret',
      'webhook.create',
    ]);
    expect(events[1].details).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    });
    const text = JSON.stringify(events);
    expect(text).toContain('https://example.com');
    for (const secret of [made.secret, changed.body.secret, 'T0K3N']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('the test button', () => {
  it('sends at once, on or off, and tells and logs what became of it', async () => {
    const api = await startApi();
    const receiver = await WebhookReceiver.start();
    const { id } = await make(api, { url: receiver.url, enabled: false, events: ['key.created'] });
    const good = await api.call('POST', `${path}/${id}/test`);
    expect(good.status).toBe(200);
    expect(good.body).toMatchObject({
      event: 'webhook.test',
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      nextAttemptAt: null,
    });
    expect(receiver.received[0]).toMatchObject({
      headers: { 'webhook-id': good.body.eventId },
      body: { type: 'webhook.test', data: { webhook: id, by: 'owner' } },
    });
    receiver.react = status(500);
    const bad = await api.call('POST', `${path}/${id}/test`);
    expect(bad.body).toMatchObject({
      status: 'failed',
      lastStatus: 500,
      lastError: 'It answered 500.',
    });
    const log = await api.call('GET', `${path}/${id}/deliveries`);
    expect(log.body.deliveries).toEqual([bad.body, good.body]);
    expect((await api.call('GET', `${path}/${id}`)).body).toMatchObject({ failures: 0 });
  });

  it('is refused while a test is under way', async () => {
    const api = await startApi();
    const receiver = await WebhookReceiver.start();
    let finish = (): void => undefined;
    receiver.react = (response) => {
      finish = () => void response.writeHead(204).end();
    };
    const { id } = await make(api, { url: receiver.url });
    const first = api.call('POST', `${path}/${id}/test`);
    await receiver.have(1);
    const second = await api.call('POST', `${path}/${id}/test`);
    expect(second.status).toBe(409);
    expect(second.body.code).toBe('webhook_busy');
    finish();
    expect((await first).body.status).toBe('delivered');
  });
});

describe('the deliveries of a webhook', () => {
  it('are listed newest first, by page and status, each with its body', async () => {
    const api = await startApi();
    const { id } = await make(api);
    for (const label of ['1', '2', '3']) await api.dev('POST', '/keys', { label });
    const list = async (query: string): Promise<Answer['body']> =>
      (await api.call('GET', `${path}/${id}/deliveries${query}`)).body;
    const all = await list('');
    expect(all.deliveries).toHaveLength(3);
    expect(all.next).toBeNull();
    expect(all.deliveries[0]).toMatchObject({
      event: 'key.created',
      status: 'pending',
      attempts: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
      nextAttemptAt: '2026-01-01T00:00:00.000Z',
      lastAttemptAt: null,
      lastStatus: null,
      lastError: '',
      lastDurationMs: null,
    });
    const first = await list('?limit=2');
    expect(first.deliveries).toEqual(all.deliveries.slice(0, 2));
    const rest = await list(`?limit=2&before=${first.next}`);
    expect(rest).toEqual({ deliveries: all.deliveries.slice(2), next: null });
    expect((await list('?status=pending')).deliveries).toHaveLength(3);
    expect((await list('?status=failed')).deliveries).toEqual([]);
    const bodies = await Promise.all(
      all.deliveries.map(async (delivery: { id: string }) => {
        const one = await api.call('GET', `${path}/${id}/deliveries/${delivery.id}`);
        return JSON.parse(one.body.body).data.label;
      }),
    );
    expect(bodies).toEqual(['3', '2', '1']);
    for (const query of ['?limit=0', '?limit=1001', '?status=lost']) {
      expect((await list(query)).code).toBe('invalid_request');
    }
  });

  it('can be sent again, whatever became of them', async () => {
    const api = await startApi();
    const receiver = await WebhookReceiver.start();
    const { id } = await make(api, { url: receiver.url });
    const { body: sent } = await api.call('POST', `${path}/${id}/test`);
    await api.webhooks.start();
    const again = await api.call('POST', `${path}/${id}/deliveries/${sent.id}/retry`);
    expect(again.body).toMatchObject({ id: sent.id, status: 'pending', attempts: 1 });
    await receiver.have(2);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([sent.eventId, sent.eventId]);
    const one = `${path}/${id}/deliveries/${sent.id}`;
    await expect
      .poll(async () => (await api.call('GET', one)).body)
      .toMatchObject({
        status: 'delivered',
        attempts: 2,
      });
  });

  it('can be sent again all that failed, as if they were new, but for tests', async () => {
    const api = await startApi();
    const receiver = await WebhookReceiver.start();
    receiver.react = status(410);
    const { id } = await make(api, { url: receiver.url, events: ['key.created'] });
    await api.call('POST', `${path}/${id}/test`);
    await api.dev('POST', '/keys', { label: 'first' });
    await api.webhooks.start();
    await expect
      .poll(async () => (await api.call('GET', `${path}/${id}`)).body.disabledReason)
      .toBe('it answered 410 Gone');
    const all = `${path}/${id}/deliveries/retry`;
    expect((await api.call('POST', all)).body.code).toBe('webhook_disabled');
    receiver.react = status(204);
    await api.call('PATCH', `${path}/${id}`, { enabled: true });
    expect((await api.call('POST', all)).body).toEqual({ deliveries: 1 });
    await receiver.have(3);
    expect(receiver.received[2]).toMatchObject({ body: { data: { label: 'first' } } });
    await expect
      .poll(async () => (await api.call('GET', `${path}/${id}/deliveries`)).body.deliveries)
      .toMatchObject([
        { event: 'key.created', status: 'delivered', attempts: 1 },
        { event: 'webhook.test', status: 'failed', attempts: 1 },
      ]);
    expect((await api.call('POST', all)).body).toEqual({ deliveries: 0 });
    const [event] = (await audited(api)).filter(({ action }) => action === 'webhook.retry');
    expect(event).toMatchObject({ name: id, details: { deliveries: 1 } });
  });

  it('are not sent again while the webhook is off', async () => {
    const api = await startApi();
    const { id } = await make(api);
    await api.dev('POST', '/keys', {});
    const { body } = await api.call('GET', `${path}/${id}/deliveries`);
    await api.call('PATCH', `${path}/${id}`, { enabled: false });
    const retry = `${path}/${id}/deliveries/${body.deliveries[0].id}/retry`;
    const answer = await api.call('POST', retry);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'webhook_disabled',
      detail: 'The webhook is switched off (by hand): switch it on first.',
    });
  });

  it('belong to their webhook', async () => {
    const api = await startApi();
    const [one, two] = [await make(api), await make(api, { events: ['segment.deleted'] })];
    await api.dev('POST', '/keys', {});
    const { body } = await api.call('GET', `${path}/${one.id}/deliveries`);
    const other = `${path}/${two.id}/deliveries/${body.deliveries[0].id}`;
    expect((await api.call('GET', other)).body.code).toBe('delivery_not_found');
    expect((await api.call('POST', `${other}/retry`)).body.code).toBe('delivery_not_found');
  });
});

describe('every route of webhooks', () => {
  const routes = (id: string, delivery: string): [string, string, object?][] => [
    ['GET', path],
    ['POST', path, { url }],
    ['GET', `${path}/${id}`],
    ['PATCH', `${path}/${id}`, {}],
    ['POST', `${path}/${id}/secret`, {}],
    ['POST', `${path}/${id}/test`],
    ['GET', `${path}/${id}/deliveries`],
    ['GET', `${path}/${id}/deliveries/${delivery}`],
    ['POST', `${path}/${id}/deliveries/${delivery}/retry`],
    ['POST', `${path}/${id}/deliveries/retry`],
    ['DELETE', `${path}/${id}`],
  ];

  it('is for owners of the whole server only', async () => {
    const api = await startApi();
    const { id } = await make(api);
    const someEnvironments = await api.call('POST', '/admin/v1/users', {
      name: 'local',
      role: 'owner',
      environments: ['dev'],
    });
    const others = [
      [await tokenOf(api, 'viewer'), 403],
      [await tokenOf(api, 'editor'), 403],
      [someEnvironments.body.token, 403],
      ['not-a-token-of-this-server', 401],
      [null, 401],
    ] as const;
    for (const [token, expected] of others) {
      for (const [method, at, body] of routes(id, 'dlv_1')) {
        const answer = await api.call(method, at, body, token);
        expect(`${method} ${at} ${answer.status}`).toBe(`${method} ${at} ${expected}`);
      }
    }
    expect((await api.call('GET', path)).body.webhooks).toHaveLength(1);
  });

  it('is described, and so is every message that a webhook can be sent', async () => {
    const api = await startApi();
    const { body } = await api.call('GET', '/openapi.json');
    expect(Object.keys(body.webhooks)).toEqual([...eventTypes, 'webhook.test']);
    const { schema } = body.webhooks['key.created'].post.requestBody.content['application/json'];
    expect(schema.properties.type).toEqual({ type: 'string', const: 'key.created' });
    expect(Object.keys(schema.properties.data.properties).sort()).toEqual([
      'by',
      'environment',
      'id',
      'label',
      'prefix',
      'sequence',
    ]);
  });

  it('answers 404 for a webhook that is not there', async () => {
    const api = await startApi();
    for (const [method, at, body] of routes('webhook_0', 'dlv_1').slice(2)) {
      const answer = await api.call(method, at, body);
      expect(`${method} ${at} ${answer.status}`).toBe(`${method} ${at} 404`);
      expect(answer.body.code).toBe('webhook_not_found');
    }
  });
});
