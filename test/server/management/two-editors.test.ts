/*
 * Goal: editors who save at once lose nothing of each other's.
 * Method: each of them adds items to one list, reading it, changing it and saving it with the revision they read; who
 * is refused reads again, as the refusal says who came first.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const editors = 5;
const itemsEach = 6;
/** Whoever is refused was beaten by a save that counted, so nobody is refused more often than others save. */
const triesMax = editors * itemsEach;

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

/** The number of refusals on the way. */
async function addItem(item: string): Promise<number> {
  const path = `${game.path}/contents/list`;
  for (let refusals = 0; refusals < triesMax; refusals++) {
    const { json: seen } = expectDone(await server.admin('GET', path));
    const list = JSON.parse(seen.lines[0].text) as string[];
    const saved = await server.admin('PUT', path, {
      text: JSON.stringify([...list, item]),
      note: item,
      ifRevision: seen.revision,
    });
    if (saved.status === 200) return refusals;
    expect(saved.status).toBe(409);
    expect(saved.json.code).toBe('revision_conflict');
    const between = saved.json.between as { revision: number; note: string }[];
    expect(between.at(-1)?.revision).toBe(seen.revision + 1);
  }
  throw new Error(`${item} was refused ${triesMax} times`);
}

it('keeps every item of every editor, each in a revision of its own', async () => {
  await game.put('list', '[]');
  const refusals = await Promise.all(
    Array.from({ length: editors }, async (_, editor) => {
      let count = 0;
      for (let at = 0; at < itemsEach; at++) count += await addItem(`${editor}/${at}`);
      return count;
    }),
  );
  const delivered = (await game.plain('list')).json as string[];
  const wanted = Array.from({ length: editors * itemsEach }, (_, at) => {
    return `${Math.floor(at / itemsEach)}/${at % itemsEach}`;
  });
  expect(delivered.toSorted()).toEqual(wanted);
  const { json } = await server.admin('GET', `${game.path}/contents/list/revisions`);
  const notes = json.revisions.map(({ note }: { note: string }) => note).reverse();
  expect(notes).toEqual(['', ...delivered]);
  // They did meet: otherwise nothing was tried here.
  expect(refusals.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
}, 60_000);
