/** A rollback says in the history and in the audit what it returned to, and why. */
import { expect, it } from 'vitest';
import { startApi } from '../harness.js';

it('keeps the reason of a rollback behind the number of the revision that it returned to', async () => {
  const api = await startApi();
  await api.dev('PUT', '/contents/shop', { text: '1' });
  await api.dev('PUT', '/contents/shop', { text: '2' });
  const note = 'Players could not pay.';
  const { status } = await api.dev('POST', '/contents/shop/rollback', { revision: 1, note });
  expect(status).toBe(200);
  await api.dev('POST', '/contents/shop/rollback', { revision: 2 });
  const { revisions } = (await api.dev('GET', '/contents/shop/revisions')).body;
  expect(revisions.slice(0, 2).map((one: { readonly note: string }) => one.note)).toEqual([
    'Rolled back to revision 2.',
    'Rolled back to revision 1. Players could not pay.',
  ]);
});

it('rejects a reason that is too long', async () => {
  const api = await startApi();
  await api.dev('PUT', '/contents/shop', { text: '1' });
  const rollback = { revision: 1, note: 'x'.repeat(2_001) };
  const { status, body } = await api.dev('POST', '/contents/shop/rollback', rollback);
  expect([status, body.code]).toEqual([400, 'invalid_body']);
});
