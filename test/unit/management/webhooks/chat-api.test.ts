/** Webhooks of chats in the admin API: their URL is a secret, and older servers of a fleet never word their messages. */
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../support/wire/chat-limits.js';
import { WebhookReceiver } from '../../../support/wire/webhook-receiver.js';
import { startApi, tester } from '../harness.js';

const path = '/admin/v1/webhooks';
const secretPath = '/services/T000/B000/s3cr3t';
const url = `https://hooks.slack.com${secretPath}`;

describe('a webhook of a chat', () => {
  it('never shows its URL, in no answer and not in the audit', async () => {
    const api = await startApi();
    const made = await api.call('POST', path, { url, format: 'slack' });
    expect(made.body).toMatchObject({
      ...{ url: 'https://hooks.slack.com/…', format: 'slack', secret: '' },
    });
    const { id } = made.body;
    const moved = { url: `${url}2`, description: 'game' };
    const answers = [
      made,
      await api.call('GET', path),
      await api.call('GET', `${path}/${id}`),
      await api.call('PATCH', `${path}/${id}`, moved),
      await api.call('GET', `${path}/${id}/deliveries`),
      await api.call('DELETE', `${path}/${id}`),
      await api.call('GET', '/admin/v1/audit'),
    ];
    for (const { text } of answers) expect(text).not.toMatch(/s3cr3t|services/);
    expect(answers.at(-1)?.text).toContain('"format":"slack"');
  });

  it('keeps its URL when it is edited, and does not take the shortened one for it', async () => {
    const api = await startApi();
    const receiver = await WebhookReceiver.start();
    const { body } = await api.call('POST', path, { url: receiver.url, format: 'discord' });
    const shortened = await api.call('PATCH', `${path}/${body.id}`, { url: body.url });
    expect(shortened.status).toBe(400);
    expect(shortened.body.errors).toMatchObject([{ path: 'url' }]);
    expect((await api.call('PATCH', `${path}/${body.id}`, { description: 'x' })).status).toBe(200);
    const tested = await api.call('POST', `${path}/${body.id}/test`);
    expect(tested.body).toMatchObject({ status: 'delivered' });
    expect(receiver.received[0]?.path).toBe('/hook');
    expect(problemsOf('discord', receiver.received[0]?.text ?? '')).toEqual([]);
  });

  it('has no secret to sign with, and stays of its format', async () => {
    const api = await startApi();
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect((await api.call('POST', path, { url, format: 'teams', secret })).status).toBe(400);
    expect((await api.call('POST', path, { url, format: 'irc' })).status).toBe(400);
    const { id } = (await api.call('POST', path, { url, format: 'teams' })).body;
    expect((await api.call('POST', `${path}/${id}/secret`, {})).status).toBe(400);
    expect((await api.call('PATCH', `${path}/${id}`, { format: 'slack' })).status).toBe(400);
  });

  it('is not made while a server lives that knows no formats; an ordinary one is', async () => {
    const api = await startApi();
    await api.store.write(tester, async ({ db, at }) => {
      const older = { id: 'older', name: 'older', address: '', version: '0.1.0', schema: 13 };
      const now = { sequence: 0, serving: 1, startedAt: at, seenAt: at };
      await db
        .insertInto('nodes')
        .values({ ...older, ...now })
        .execute();
    });
    const made = await api.call('POST', path, { url, format: 'slack' });
    expect(made.body).toMatchObject({ status: 503, code: 'upgrade_in_progress' });
    expect((await api.call('POST', path, { url })).status).toBe(201);
  });
});
