/** The life of a content, lived through the client that is generated from /openapi.json: what it calls must be there, in name and in type. */
import { strict as assert } from 'node:assert';
import { ok } from '@oazapfts/runtime';
import * as api from './generated/admin-client.js';

const env = 'client';
const id = 'shop';
const content = { env, id } as const;

export interface Delivery {
  /** The wrapped content, as a player gets it with this key, no older than the sequence. */
  wrapped(key: string, minSequence: number): Promise<unknown>;
}

/** Makes an environment, and a content in it: saved, published, segmented, explained, rolled back, moved, deleted. */
export async function liveThrough(
  baseUrl: string,
  token: string,
  delivery: Delivery,
): Promise<void> {
  api.defaults.baseUrl = baseUrl;
  api.defaults.headers = { authorization: `Bearer ${token}` };

  const me = await ok(api.getMe());
  assert.equal(me.role, 'owner');
  await ok(api.createEnvironment({ body: { id: env, name: 'Made by a generated client' } }));
  const { key } = await ok(api.createKey({ env, body: { label: 'players' } }));

  // A draft is not delivered; published, it is.
  const draft = await ok(
    api.putContent({ ...content, body: { text: '{"price": 10} // draft', publish: false } }),
  );
  assert.equal(draft.live, null);
  assert.equal(draft.revision, 1);
  const first = await ok(api.publishContent({ ...content, body: {} }));
  assert.deepEqual(await delivery.wrapped(key, first.sequence), { price: 10 });

  // A saved segment changes it for some.
  await ok(api.putSegment({ env, name: 'whales', body: { when: { level: { $gte: 10 } } } }));
  const mapping = [{ segment: 'whales', merge: { price: 5 } }];
  const second = await ok(api.putContent({ ...content, body: { mapping, ifRevision: 1 } }));
  const explained = await ok(api.evaluateContent({ env, body: { id, p: { level: 12 } } }));
  assert.equal(explained.rules[0]?.outcome, 'applied');
  assert.deepEqual((await ok(api.getSegment({ env, name: 'whales' }))).name, 'whales');

  // Who builds on an old revision is told so, with a code to decide by.
  const late = await api.putContent({ ...content, body: { text: '1', ifRevision: 1 } });
  assert.equal(late.status, 409);
  assert.equal(late.data.code, 'revision_conflict');
  const wrong = await api.putContent({ ...content, body: { text: '{"price":' } });
  assert.equal(wrong.status, 400);
  assert.equal(wrong.data.errors?.[0]?.line, 1);

  // History shows it all; a rollback publishes the first again.
  const { revisions } = await ok(api.listContentRevisions(content));
  assert.deepEqual(
    revisions.map(({ revision, live }) => [revision, live]),
    [
      [second.revision, true],
      [1, false],
    ],
  );
  const diff = await ok(api.diffContent({ ...content, $from: 1, to: second.revision }));
  assert.equal(diff.mapping.change, 'added');
  await ok(api.rollbackContent({ ...content, body: { revision: 1 } }));
  const shown = await ok(api.getContent(content));
  assert.deepEqual(shown.mapping, []);
  assert.equal(shown.lines[0]?.text, '{"price": 10} // draft');

  // Another environment takes it over, by sync and as a file.
  await ok(api.createEnvironment({ body: { id: `${env}-2` } }));
  const synced = await ok(api.syncEnvironment({ env: `${env}-2`, body: { from: env } }));
  assert.deepEqual(
    synced.added.map((added) => added.id),
    [id],
  );
  const body = await exported();
  const imported = await ok(
    api.importEnvironment(
      { env: `${env}-2`, mode: 'replace', dryRun: 'true', body },
      { headers: { 'content-type': 'application/x-ndjson' } },
    ),
  );
  assert.deepEqual(imported.counts, { added: 0, changed: 0, unchanged: 1, removed: 0 });

  await ok(api.deleteContent(content));
  const gone = await api.getContent(content);
  assert.equal(gone.status, 404);
  assert.equal(gone.data.code, 'content_not_found');
}

/** Without the client's runtime, which takes every type with "json" in its name for one JSON value. */
async function exported(): Promise<string> {
  const { baseUrl, headers } = api.defaults;
  const response = await fetch(`${baseUrl}/admin/v1/environments/${env}/export`, {
    headers: headers as Record<string, string>,
  });
  return response.text();
}
