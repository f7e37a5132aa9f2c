/** The history says from when to when each revision was live, also after a rollback, a deletion and a draft. */
import { expect, it } from 'vitest';
import { startApi } from '../harness.js';

interface Row {
  readonly revision: number;
  readonly liveSpans: readonly { readonly from: string; readonly until: string | null }[];
}

it('has a span from each publication to the next one', async () => {
  const api = await startApi();
  const save = async (text: string, publish: boolean): Promise<void> => {
    const { status } = await api.dev('PUT', '/contents/shop', { text, publish });
    expect(status).toBeLessThan(300);
  };
  await save('1', true);
  await save('2', false);
  await save('3', true);
  await api.dev('DELETE', '/contents/shop');
  await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
  const { revisions } = (await api.dev('GET', '/contents/shop/revisions')).body as {
    readonly revisions: readonly Row[];
  };
  const spansOf = (revision: number) =>
    revisions.find((row) => row.revision === revision)?.liveSpans ?? [];
  expect(revisions.map(({ liveSpans }) => liveSpans.length)).toEqual([1, 1, 0, 1]);
  expect(spansOf(1)[0]?.until).toBe(spansOf(3)[0]?.from);
  const [deleted, restored] = [spansOf(3)[0]?.until ?? '', spansOf(4)[0]?.from ?? ''];
  expect(deleted).not.toBe('');
  expect(deleted <= restored).toBe(true);
  expect(spansOf(4)[0]?.until).toBeNull();
  const older = (await api.dev('GET', '/contents/shop/revisions?before=2&limit=1')).body;
  expect(older.revisions[0].liveSpans).toEqual(spansOf(1));
});
