/** The history says from when to when each revision was live, also after a rollback, a deletion and a draft. */
import { expect, it } from 'vitest';
import { openStore, startApi, startMs } from '../harness.js';

const minuteMs = 60_000;

interface Row {
  readonly revision: number;
  readonly liveSpans: readonly { readonly from: string; readonly until: string | null }[];
}

it('has a span from each publication to the next one', async () => {
  let nowMs = startMs;
  const store = await openStore(undefined, () => nowMs);
  const api = await startApi({}, { store, now: () => nowMs });
  const save = async (text: string, publish: boolean): Promise<void> => {
    nowMs += minuteMs;
    const { status } = await api.dev('PUT', '/contents/shop', { text, publish });
    expect(status).toBeLessThan(300);
  };
  await save('1', true);
  await save('2', false);
  await save('3', true);
  nowMs += minuteMs;
  await api.dev('DELETE', '/contents/shop');
  nowMs += minuteMs;
  await api.dev('POST', '/contents/shop/rollback', { revision: 1 });
  const { revisions } = (await api.dev('GET', '/contents/shop/revisions')).body as {
    readonly revisions: readonly Row[];
  };
  const spansOf = (revision: number) =>
    revisions.find((row) => row.revision === revision)?.liveSpans ?? [];
  const at = (minutes: number): string => new Date(startMs + minutes * minuteMs).toISOString();
  expect([1, 2, 3, 4].map(spansOf)).toEqual([
    [{ from: at(1), until: at(3) }],
    [],
    [{ from: at(3), until: at(4) }],
    [{ from: at(5), until: null }],
  ]);
  const older = (await api.dev('GET', '/contents/shop/revisions?before=2&limit=1')).body;
  expect(older.revisions[0].liveSpans).toEqual(spansOf(1));
});
