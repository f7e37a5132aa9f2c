/** What the console saves arrives whole: its own code, against the real admin API. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchContent } from '../../../../src/console/draft/content-query.js';
import { saveContent } from '../../../../src/console/draft/put-edit.js';
import { stateOf } from '../../../../src/console/draft/state-parts.js';
import { begin, meet } from '../../../../src/console/draft/work.js';
import { type Harness, ownerToken, startApi } from '../../management/harness.js';

const mapping = [{ segment: 'all', when: {}, patch: [{ op: 'replace', path: '/x', value: 2 }] }];

/** The console asks by path alone, as a page does, and its cookie says who it is. */
async function startConsole(): Promise<Harness> {
  const api = await startApi();
  const real = globalThis.fetch;
  globalThis.fetch = (path, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${ownerToken}`);
    return real(new URL(String(path), api.url), { ...init, headers });
  };
  onTestFinished(() => {
    globalThis.fetch = real;
  });
  await api.dev('PUT', '/contents/shop', { text: '{"x":1}', appVersion: '1.0.0' });
  await api.dev('PUT', '/contents/shop', { text: '{}', appVersion: '2.0.0', mapping });
  return api;
}

const newest = async (api: Harness) => (await api.dev('GET', '/contents/shop')).body;

describe('a save of several lines', () => {
  it('keeps a mapping that suits none of them on the way', async () => {
    const api = await startConsole();
    const saved = await fetchContent('dev', 'shop');
    const lines = [
      { appVersion: '1.0.0', text: '{}' },
      { appVersion: '2.0.0', text: '{"x":1}' },
    ];
    const state = { ...stateOf(saved), lines };
    await saveContent({ saved, state, note: '', publish: true });
    expect(await newest(api)).toMatchObject({ newest: 3, live: 3, mapping });
  });

  it('is refused when somebody else saved before a line is removed', async () => {
    const api = await startConsole();
    const saved = await fetchContent('dev', 'shop');
    await api.dev('PUT', '/contents/shop', { text: '{"x":3}', appVersion: '1.0.0' });
    const state = { ...stateOf(saved), lines: saved.lines.slice(0, 1) };
    const save = saveContent({ saved, state, note: '', publish: true });
    await expect(save).rejects.toMatchObject({ code: 'revision_conflict' });
    expect((await newest(api)).lines).toHaveLength(2);
  });
});

it('a save of what somebody deleted meanwhile makes it anew with all that it had', async () => {
  const api = await startConsole();
  const about = { description: 'Packs.', tags: ['core'], schema: { type: 'object' } };
  await api.dev('PUT', '/contents/shop', about);
  const saved = await fetchContent('dev', 'shop');
  await api.dev('DELETE', '/contents/shop');
  const { base, state } = meet(begin(saved, stateOf(saved)), saved, true);
  await saveContent({ saved: base, state, note: '', publish: true });
  expect(await newest(api)).toMatchObject({ ...about, mapping, deletedAt: null });
});
