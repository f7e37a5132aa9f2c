/** Every operation of both documents, called in an order in which each can succeed. A new operation belongs in here. */
import { strict as assert } from 'node:assert';
import type { GeneratedCaller } from './generated-caller.js';

/** No such name exists: what a webhook is sent fails at once. */
const nowhere = 'https://hooks.invalid/';

/** @param name of what is made on the server: another caller has another one */
export async function callEveryOperation(client: GeneratedCaller, name: string): Promise<void> {
  const { key } = await makeEnvironments(client, name);
  await editContents(client, name);
  await editSegments(client, name);
  await release(client, name, key);
  await experiment(client, name, key);
  await review(client, `${name}-reviewed`);
  await deliver(client, key);
  await explain(client, name);
  await move(client, name);
  await managePeople(client, name);
  await manageWebhooks(client, name);
  await operate(client, name);
  await takeApart(client, name);
}

async function makeEnvironments({ admin }: GeneratedCaller, env: string): Promise<{ key: string }> {
  const path = { env };
  await admin('createEnvironment', { body: { id: env } });
  await admin('createEnvironment', { body: { id: `${env}-live`, name: 'Live' } });
  await admin('updateEnvironment', { path, body: { name: 'Development' } });
  const made = await admin('getEnvironment', { path });
  assert.equal(made.name, 'Development');
  const { environments } = await admin('listEnvironments', {});
  assert.ok(environments.some(({ id }) => id === env));
  const { id: keyId, key } = await admin('createKey', { path, body: { label: 'players' } });
  await admin('updateKey', { path: { env, keyId }, body: { label: 'all players' } });
  const { keys } = await admin('listKeys', { path });
  assert.deepEqual(
    keys.map(({ label }) => label),
    ['all players'],
  );
  const second = await admin('createKey', { path, body: {} });
  await admin('deleteKey', { path: { env, keyId: second.id } });
  return { key };
}

async function editContents({ admin }: GeneratedCaller, env: string): Promise<void> {
  const path = { env, id: 'shop' };
  await admin('putContent', { path, body: { text: '{"price": 10}', publish: false } });
  await admin('publishContent', { path, body: {} });
  await admin('putContent', { path, body: { text: '{"price": 11}', appVersion: '2.0.0' } });
  await admin('deleteContentLine', { path: { ...path, appVersion: '2.0.0' } });
  const { revisions } = await admin('listContentRevisions', { path });
  assert.equal(revisions.length, 3);
  await admin('getContentRevision', { path: { ...path, revision: 2 } });
  await admin('diffContent', { path, query: { from: 1, to: 2 } });
  const blame = await admin('blameContent', { path, query: { path: '/price' } });
  assert.deepEqual(
    blame.changes.map(({ revision, after }) => [revision, after]),
    [[1, '10']],
  );
  const rolled = await admin('rollbackContent', { path, body: { revision: 1 } });
  assert.equal(rolled.live, 4);
  await admin('putContent', { path: { env, id: 'gone' }, body: { text: '1' } });
  await admin('deleteContent', { path: { env, id: 'gone' } });
  const deleted = await admin('listContents', { path: { env }, query: { deleted: 'true' } });
  assert.deepEqual(
    deleted.contents.map(({ id }) => id),
    ['gone'],
  );
  await admin('restoreContent', { path: { env, id: 'gone' } });
  const edit = { kind: 'tags' as const, add: ['season'], remove: [] };
  const edited = await admin('editContents', { path: { env }, body: { ids: ['gone'], edit } });
  assert.equal(edited.counts.changed, 1);
  assert.equal((await admin('getContent', { path })).live, 4);
  const { hits } = await admin('searchContent', { path: { env }, query: { q: 'price' } });
  assert.deepEqual(
    hits.map((hit) => hit.path),
    ['/price'],
  );
  const { contents } = await admin('listNames', { path: { env } });
  assert.ok(contents.some(({ id }) => id === 'shop'));
}

async function editSegments({ admin }: GeneratedCaller, env: string): Promise<void> {
  const path = { env, name: 'whales' };
  await admin('putSegment', { path, body: { when: { level: { $gte: 10 } } } });
  await admin('putSegment', { path, body: { when: { level: { $gte: 20 } } } });
  await admin('getSegment', { path });
  await admin('listSegments', { path: { env } });
  await admin('listSegmentRevisions', { path });
  await admin('getSegmentRevision', { path: { ...path, revision: 1 } });
  await admin('diffSegment', { path, query: { from: 1, to: 2 } });
  await admin('rollbackSegment', { path, body: { revision: 1 } });
  const body = { when: { level: 1 }, contexts: [{ p: { level: 1 } }] };
  await admin('testSegment', { path: { env }, body });
  await admin('putSegment', { path: { env, name: 'unused' }, body: { when: {} } });
  await admin('deleteSegment', { path: { env, name: 'unused' } });
  await admin('putSegment', { path: { env, name: 'draft' }, body: { when: {}, publish: false } });
}

async function experiment(
  { admin, delivery }: GeneratedCaller,
  env: string,
  key: string,
): Promise<void> {
  const variants = [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { price: 3 } },
  ];
  const mapping = [{ segment: 'price-test', when: {}, salt: 'prices', variants }];
  await admin('putContent', {
    path: { env, id: 'priced' },
    body: { text: '{"price":5}', mapping },
  });
  const revenue = { env, name: 'revenue' };
  await admin('putMetric', { path: revenue, body: { kind: 'sum', event: 'purchase' } });
  const { metrics } = await admin('listMetrics', { path: { env } });
  assert.equal(metrics.length, 1);
  const record = { content: 'priced', segment: 'price-test', control: 'control' };
  await admin('createExperiment', { path: { env }, body: { id: 'prices', ...record } });
  await admin('createExperiment', { path: { env }, body: { id: 'unused', ...record } });
  await admin('deleteExperiment', { path: { env, id: 'unused' } });
  const path = { env, id: 'prices' };
  await admin('updateExperiment', { path, body: { primaryMetric: 'revenue' } });
  const started = await admin('startExperiment', { path, body: {} });
  assert.equal(started.phase, 1);
  const seg = [{ n: 'price-test', v: 'cheap' }];
  const at = new Date().toISOString();
  const exposure = { t: 'exposure' as const, id: 'priced', seg, at, eid: '1' };
  const sent = { u: 'player-1', events: [exposure] };
  await delivery(key)('sendEvents', { body: sent });
  const results = await admin('getExperimentResults', { path });
  assert.equal(results.variants.length, 2);
  const size = { rate: 0.04, smallestEffect: 0.1 };
  await admin('computeSampleSize', { path: { env }, body: size });
  await admin('stopExperiment', { path, body: { note: 'A try.' } });
  const { release: number } = await admin('decideExperiment', { path, body: { variant: 'cheap' } });
  assert.ok(number !== null, 'the rule is live, so a release removes it');
  await admin('cancelRelease', { path: { env, release: number }, body: {} });
  assert.equal((await admin('getExperiment', { path })).state, 'decided');
  assert.equal((await admin('listExperiments', { path: { env } })).experiments.length, 1);
  await admin('deleteMetric', { path: revenue });
  await admin('deleteContent', { path: { env, id: 'priced' } });
}

async function release(
  { admin, delivery }: GeneratedCaller,
  env: string,
  key: string,
): Promise<void> {
  await admin('putContent', { path: { env, id: 'event' }, body: { text: '1' } });
  await admin('putContent', { path: { env, id: 'event' }, body: { text: '2', publish: false } });
  const steps = [{ percent: 50, holdMinutes: 60 }];
  const brake = { receipts: { minutes: 10 } };
  const changes = [{ kind: 'content' as const, id: 'event' }];
  const body = { title: 'Event', changes, steps, brake };
  const { release: number } = await admin('createRelease', { path: { env }, body });
  const path = { env, release: number };
  await admin('updateRelease', { path, body: { title: 'Winter event' } });
  const rebase = [{ kind: 'content' as const, id: 'event' }];
  await admin('changeRelease', { path, body: { rebase } });
  await admin('commentRelease', { path, body: { comment: 'Looks good.' } });
  await admin('scheduleRelease', { path, body: { at: '2100-01-01T00:00:00Z' } });
  await admin('startRelease', { path, body: {} });
  await admin('pauseRelease', { path, body: {} });
  await admin('resumeRelease', { path, body: {} });
  const { receipt } = await delivery(key)('refresh', { body: { u: 'player-1' } });
  assert.ok(receipt !== undefined, 'every player is in one of the slices');
  await delivery(key)('sendReceipt', { body: { u: 'player-1', receipt, ok: true } });
  await admin('makeReleaseLive', { path, body: {} });
  await admin('revertRelease', { path, body: { reason: 'A try.' } });
  const second = await admin('createRelease', { path: { env }, body });
  const secondPath = { env, release: second.release };
  await admin('startRelease', { path: secondPath, body: {} });
  await admin('stopRelease', { path: secondPath, body: {} });
  await admin('stopReleases', { path: { env }, body: {} });
  await admin('cancelRelease', { path: secondPath, body: {} });
  const { releases } = await admin('listReleases', { path: { env } });
  assert.deepEqual(
    releases.map(({ state }) => state),
    ['cancelled', 'reverted'],
  );
  assert.equal((await admin('getRelease', { path })).state, 'reverted');
  const { items } = await admin('getReleaseWarnings', { path });
  assert.ok(Array.isArray(items));
  const { events } = await admin('getReleaseTimeline', { path });
  assert.ok(events.some(({ event }) => event === 'release.live'));
  await admin('deleteContent', { path: { env, id: 'event' } });
}

/** One proposes to delete an environment, the other agrees. */
async function review({ admin, adminAs }: GeneratedCaller, env: string): Promise<void> {
  await admin('createEnvironment', { body: { id: env, review: 1 } });
  const author = await admin('createUser', { body: { name: `author of ${env}`, role: 'editor' } });
  const reviewer = await admin('createUser', { body: { name: `owner of ${env}`, role: 'owner' } });
  const [write, decide] = [adminAs(author.token), adminAs(reviewer.token)];
  const changes = [{ kind: 'environment' as const, edit: { delete: true as const } }];
  const body = { title: 'The end', changes };
  const { release: number } = await write('createRelease', { path: { env }, body });
  const path = { env, release: number };
  await write('submitRelease', { path, body: {} });
  await decide('rejectRelease', { path, body: { comment: 'Say why.' } });
  const submitted = await write('submitRelease', { path, body: { comment: 'It is not used.' } });
  const { releases } = await decide('listReviews', {});
  assert.ok(releases.some(({ environment }) => environment === env));
  const { digest } = submitted.review;
  assert.equal((await decide('approveRelease', { path, body: { digest } })).state, 'approved');
  await write('makeReleaseLive', { path, body: {} });
  const { environments } = await admin('listEnvironments', {});
  assert.ok(environments.every(({ id }) => id !== env));
  for (const { id: userId } of [author, reviewer]) await admin('deleteUser', { path: { userId } });
}

async function deliver({ delivery }: GeneratedCaller, key: string): Promise<void> {
  const call = delivery(key);
  const u = { u: 'player-1', p: { level: 12 }, v: '1.0.0' };
  const path = { contentId: 'shop' };
  const wrapped = await call('getWrappedContent', { path, body: u });
  assert.deepEqual(wrapped.data, { price: 10 });
  assert.deepEqual(await call('getContent', { path, body: {} }), { price: 10 });
  const c = ['shop', 'gone'];
  assert.deepEqual(await call('getContents', { body: { ...u, c } }), {
    shop: { price: 10 },
    gone: 1,
  });
  const query = { dynamic: 'true', responseType: 'serialized' } as const;
  const { shop } = await call('getContents', { query, body: { c } });
  assert.equal((shop as { data: string }).data, '{"price":10}');
  const header = { 'Content-Type': 'application/json' } as const;
  const held = (await call('refresh', { body: u })).contents;
  const have = Object.fromEntries(Object.entries(held).map(([id, { tag }]) => [id, tag]));
  assert.deepEqual((await call('refresh', { body: { ...u, have } })).contents, {});
  const told = await call('stream', { body: { ...u, have, mode: 'notify' } });
  assert.match(String(told), /^event: refresh\nid: \d+\ndata: \{"ids":\[\],"sequence":\d+\}\n\n$/);
  await evaluate(call);
  const { catalog } = await call('getCatalog', { header });
  assert.deepEqual(Object.keys(catalog), ['gone', 'shop']);
  assert.equal(catalog['shop']?.h, wrapped.hash);
  assert.equal((await call('getHealth', {})).status, 'ok');
}

async function evaluate(call: ReturnType<GeneratedCaller['delivery']>): Promise<void> {
  const body = { context: { targetingKey: 'player-1', appVersion: '1.0.0', level: 12 } };
  const flag = await call('evaluateFlag', { path: { key: 'shop/price' }, body });
  assert.equal(flag.value, 10);
  const { flags, eventStreams } = await call('evaluateFlags', { body });
  assert.deepEqual(flags, []);
  const uri = eventStreams[0]?.endpoint.requestUri ?? '';
  const token = new URL(uri, 'http://loadout.test').searchParams.get('token') ?? '';
  assert.match(String(await call('ofrepStream', { query: { token } })), /^(?:[a-z]*:.*\n)+\n$/);
}

async function explain({ admin }: GeneratedCaller, env: string): Promise<void> {
  const path = { env };
  await admin('evaluateContent', { path, body: { id: 'shop' } });
  await admin('lookUpPlayer', { path, body: { u: 'player-1', ids: ['shop'] } });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const cohort = { id: 'shop', path: '/price', from, players: [{ u: 'player-1' }] };
  await admin('findCohort', { path, body: cohort });
  await admin('showEnvelope', { path: { env, id: 'shop' } });
  await admin('computeEnvelope', { path, body: { id: 'shop', text: '{"price": 12}' } });
  const lines = [{ id: 'shop', text: '{"price": 12}' }, { u: 'player-1' }, { u: 'player-2' }];
  await admin('previewContent', {
    path,
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const sample = { env, name: 'a-player' };
  await admin('putSampleUser', { path: sample, body: { u: 'player-1' } });
  await admin('listAttributes', { path });
  const { sampleUsers } = await admin('listSampleUsers', { path });
  assert.equal(sampleUsers.length, 1);
  await admin('deleteSampleUser', { path: sample });
  await admin('listTests', { path });
  await admin('listInterference', { path });
  const layers = [{ name: 'shop' }];
  const put = await admin('putLayers', { path, body: { layers, holdout: null } });
  assert.equal((await admin('getLayers', { path })).etag, put.etag);
  assert.deepEqual((await admin('getCalendar', { path })).conflicts, []);
  assert.ok((await admin('getOverview', { path })).contents.total > 0);
}

async function move({ admin }: GeneratedCaller, env: string): Promise<void> {
  const path = { env: `${env}-live` };
  const { added } = await admin('syncEnvironment', { path, body: { from: env } });
  assert.equal(added.length, 2);
  const baseline = await admin('exportBaseline', { path: { env } });
  assert.equal(Object.keys(baseline.contents).length, 2);
  const exported = await admin('exportEnvironment', { path: { env } });
  const query = { mode: 'replace', dryRun: 'true' } as const;
  const { dryRun } = await admin('importEnvironment', { path, query, body: exported });
  assert.equal(dryRun, true);
}

async function managePeople({ admin }: GeneratedCaller, name: string): Promise<void> {
  assert.equal((await admin('getMe', {})).role, 'owner');
  const { id: userId } = await admin('createUser', { body: { name, role: 'viewer' } });
  const path = { userId };
  await admin('updateUser', { path, body: { role: 'editor' } });
  assert.equal((await admin('getUser', { path })).role, 'editor');
  await admin('listUsers', {});
  const { id: tokenId, token } = await admin('createUserToken', { path, body: {} });
  await admin('listUserTokens', { path });
  await admin('listSessionWays', {});
  await admin('signIn', { body: { token } });
  await admin('signOut', {});
  await admin('deleteUserToken', { path: { userId, tokenId } });
  await admin('deleteUser', { path });
}

async function manageWebhooks({ admin }: GeneratedCaller, name: string): Promise<void> {
  const made = await admin('createWebhook', { body: { url: nowhere, environments: [name] } });
  const path = { id: made.id };
  await admin('updateWebhook', { path, body: { description: name } });
  assert.equal((await admin('getWebhook', { path })).description, name);
  await admin('listWebhooks', {});
  await admin('replaceWebhookSecret', { path, body: {} });
  const tested = await admin('testWebhook', { path });
  await admin('listWebhookDeliveries', { path });
  const delivery = { ...path, deliveryId: tested.id };
  await admin('getWebhookDelivery', { path: delivery });
  await admin('retryWebhookDelivery', { path: delivery });
  await admin('retryFailedWebhookDeliveries', { path });
  await admin('deleteWebhook', { path });
}

async function operate({ admin }: GeneratedCaller, environment: string): Promise<void> {
  const { events } = await admin('listAudit', { query: { environment } });
  assert.ok(events.length > 10);
  const exported = await admin('exportAudit', { query: { environment } });
  assert.equal(exported.trim().split('\n').length, events.length);
  const first = await admin('streamAudit', {
    query: { environment, after: events.at(-1)?.id ?? '' },
  });
  assert.ok(first.includes('"action"'));
  const { to } = await admin('getEventsStatus', {});
  assert.equal(to, 'local');
  const path = { env: environment };
  const { names } = await admin('listEventNames', { path });
  assert.deepEqual(names, []);
  // Without rows there is no body, which some clients give as nothing.
  const rows = await admin('exportEvents', { path, query: { table: 'metric_events' } });
  assert.equal(rows ?? '', '');
  await admin('forgetEventsOfUser', { path, body: { u: 'nobody' } });
  await admin('listNodes', {});
  assert.ok((await admin('listRejections', { path })).requests >= 0);
  assert.ok((await admin('listServerRejections', {})).nodes >= 1);
  await admin('getHealthHistory', {});
  await admin('listHealthFindings', {});
  assert.ok((await admin('listPublishedChanges', {})).changes.length > 0);
  await admin('makeBackup', {});
  await admin('applyRetention', { body: { dryRun: true } });
  await admin('getHealth', {});
  await admin('getReadiness', {});
  assert.ok((await admin('getMetrics', {})).includes('loadout_listeners'));
  assert.ok((await admin('getFigures', {})).deliveryProcesses.length > 0);
  await admin('getAdminDocument', {});
  await admin('getDeliveryDocument', {});
}

async function takeApart({ admin }: GeneratedCaller, env: string): Promise<void> {
  await admin('deleteEnvironment', { path: { env } });
  await admin('deleteEnvironment', { path: { env: `${env}-live` } });
}
