/** Which contents use a layer is found with few statements, however many there are. */
import type { KyselyPlugin } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../../../src/management/store/dialect.js';
import { listLayerUsers } from '../../../../src/management/store/layers/layer-users.js';
import { startApi } from '../harness.js';

const contents = 60;

/** @returns what the work gives, and how many statements it took */
async function counted<T>(db: Db, work: (db: Db) => Promise<T>) {
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { value: await work(db.withPlugin(counter)), statements };
}

it('reads mappings together, and those that it has seen not again', async () => {
  const { store, dev } = await startApi();
  await dev('PUT', '/layers', { layers: [{ name: 'shop', salt: 'layer-1' }], holdout: null });
  const variants = [{ name: 'a', groups: [0, 499] }];
  for (let at = 0; at < contents; at += 1) {
    const plain = { segment: `s${at}`, when: {}, salt: `salt-${at}`, variants };
    const rule = at % 3 === 0 ? { ...plain, layer: 'shop', slice: [0, at] } : plain;
    const put = await dev('PUT', `/contents/c${at}`, { text: '1', mapping: [rule] });
    expect(put.status).toBe(201);
  }
  const first = await store.read((db) => counted(db, (one) => listLayerUsers(one, 'dev')));
  const expected = Array.from({ length: contents / 3 }, (_, at) => {
    const [number, segment] = [at * 3, `s${at * 3}`];
    const use = { rule: 0, segment, layer: 'shop', slice: [0, number], holdout: true };
    return { id: `c${number}`, uses: [use] };
  });
  const found = first.value.map(({ id, uses }) => ({ id, uses }));
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  expect(found.sort(byId)).toEqual(expected.sort(byId));
  expect(first.statements).toBe(3);
  const again = await store.read((db) => counted(db, (one) => listLayerUsers(one, 'dev')));
  expect(again).toEqual({ value: first.value, statements: 1 });
});
