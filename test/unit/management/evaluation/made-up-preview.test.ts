/*
 * Goal: a preview over made-up users says what an edit does, where no sample user would notice it.
 * Method: edits of one kind each, on a content with a test, a rule for a segment and two lines.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Harness, ownerToken, startApi } from '../harness.js';

const variants = (split: number) => [
  { name: 'control', groups: [0, split - 1] },
  { name: 'more', groups: [split, 999], merge: { gems: 2 } },
];
const test = (salt: string, split: number, when: object = { country: { $in: ['DE', 'FR'] } }) => ({
  ...{ segment: 'gems', when, salt, variants: variants(split) },
});
const vip = { segment: 'vip', merge: { price: 3 } };

async function preview(
  api: Harness,
  head: object,
  contexts: readonly object[] = [],
): Promise<Answer> {
  const response = await fetch(`${api.url}/admin/v1/environments/dev/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${ownerToken}` },
    body: [{ id: 'shop', ...head }, ...contexts].map((line) => JSON.stringify(line)).join('\n'),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text) };
}

async function shop(): Promise<Harness> {
  const api = await startApi();
  await api.dev('PUT', '/segments/vip', { when: { spent: { $gte: 100 } } });
  await api.dev('PUT', '/contents/shop', {
    text: '{"price":5,"gems":1}',
    mapping: [test('a', 500), vip],
  });
  await api.dev('PUT', '/contents/shop', { text: '{"price":6,"gems":1}', appVersion: '2.0.0' });
  return api;
}

const madeUp = 1_000;
const gemsOf = ({ body }: Answer) =>
  body.ruleChanges.find(({ segment }: { segment: string }) => segment === 'gems');

describe('a preview over made-up users', () => {
  it('says which share of a test’s users another salt moves', async () => {
    const api = await shop();
    const answer = await preview(api, { mapping: [test('b', 500), vip], madeUp });
    expect(answer.status).toBe(200);
    const { contexts, changed, ruleChanges } = answer.body;
    expect(contexts).toBe(madeUp);
    const gems = gemsOf(answer);
    expect(gems).toMatchObject({ now: 0, edit: 0, test: true, joined: 0, left: { contexts: 0 } });
    expect(gems.contexts).toBeGreaterThan(300);
    expect(Math.abs(gems.otherVariant.share - 0.5)).toBeLessThan(0.08);
    expect(changed.contexts).toBe(gems.otherVariant.contexts);
    expect(ruleChanges[1]).toMatchObject({ segment: 'vip', test: false, joined: 0 });
    expect(ruleChanges[1].contexts).toBeGreaterThan(100);
    const again = await preview(api, { mapping: [test('b', 500), vip], madeUp });
    expect(again.body).toEqual(answer.body);
  });

  it('says it of other buckets, and of a condition that lets others in', async () => {
    const api = await shop();
    const buckets = gemsOf(await preview(api, { mapping: [test('a', 700), vip], madeUp }));
    expect(Math.abs(buckets.otherVariant.share - 0.2)).toBeLessThan(0.08);
    const only = test('a', 500, { country: { $in: ['FR', 'JP'] } });
    const condition = gemsOf(await preview(api, { mapping: [only, vip], madeUp }));
    expect(condition.otherVariant.contexts).toBe(0);
    expect(condition.left.contexts).toBeGreaterThan(50);
    expect(condition.joined).toBeGreaterThan(50);
  });

  it('tells tests that are new, that go, and that become a rule for everybody', async () => {
    const api = await shop();
    const added = { ...test('c', 100), segment: 'new' };
    const mapping = [{ segment: 'gems', when: {}, merge: { gems: 2 } }, added];
    const { body } = await preview(api, { mapping, madeUp });
    expect(body.ruleChanges).toMatchObject([
      { segment: 'gems', now: 0, edit: 0, test: false, otherVariant: { contexts: 0 } },
      { segment: 'new', now: null, edit: 1, test: true, contexts: 0 },
      { segment: 'vip', now: 1, edit: null, test: false, joined: 0 },
    ]);
    expect(body.ruleChanges[2].left.share).toBe(1);
    expect(body.ruleChanges[1].joined).toBeGreaterThan(100);
  });

  it('takes all lines of an edit at once: new texts, new lines, and lines that are removed', async () => {
    const api = await shop();
    const lines = [{ appVersion: '0.0.0' }, { appVersion: '3.0.0', text: '{"price":9,"gems":1}' }];
    const { body } = await preview(api, { lines, madeUp });
    expect(body.edit.lines.map(({ appVersion }: { appVersion: string }) => appVersion)).toEqual([
      '0.0.0',
      '3.0.0',
    ]);
    // Both old versions above 2.0.0 and those above 3.0.0 are among the users.
    expect(body.edit.lines[1].contexts).toBeGreaterThan(50);
    expect(body.now.lines[1].contexts).toBeGreaterThan(body.edit.lines[1].contexts);
    const moved = body.changes.map(
      (change: { now: { line: string }; edit: { line: string } }) =>
        `${change.now.line} to ${change.edit.line}`,
    );
    expect([...new Set(moved)].sort()).toEqual(['2.0.0 to 0.0.0', '2.0.0 to 3.0.0']);
    const fresh = await preview(api, {
      id: 'new',
      lines: [{ appVersion: '1.0.0', text: '1' }],
      madeUp,
    });
    expect(fresh.body.byKind.appeared).toBe(fresh.body.edit.lines[0].contexts);
  });

  it('counts the contexts that are sent apart, and callers without a user id', async () => {
    const api = await shop();
    const contexts = [{ u: 'ada', p: { country: 'DE' } }, {}, { u: 1 }];
    const { body } = await preview(api, { text: '{"price":7,"gems":1}', madeUp }, contexts);
    expect(body.given).toMatchObject({ contexts: 2, faulty: 1, errors: [{ line: 4 }] });
    expect(body.given.changed.contexts).toBe(0);
    expect(body).toMatchObject({ contexts: madeUp, faulty: 0 });
    expect(body.madeUp.withoutUserId).toMatchObject({ contexts: 50 });
    expect(body.madeUp.withoutUserId.changed.contexts).toBeGreaterThan(5);
    const alone = await preview(api, {}, contexts);
    expect(alone.body).toMatchObject({ contexts: 2, faulty: 1, madeUp: null, given: null });
  });

  it('has users with values of the environment’s sample users', async () => {
    const api = await shop();
    await api.dev('PUT', '/sample-users/Jun', { u: 'jun', p: { country: 'JP' }, v: '9.9.9' });
    const mapping = [test('a', 500, { country: { $nin: ['DE', 'FR', 'no-such-text'] } }), vip];
    const { body, text } = await preview(api, { mapping, madeUp });
    expect(gemsOf({ body } as Answer).joined).toBeGreaterThan(100);
    expect(text).not.toContain('"jun"');
  });

  it('leaves callers without a user id out of the figures of a test', async () => {
    const api = await shop();
    const contexts = [{ p: { country: 'DE' } }, { u: 'ada', p: { country: 'DE', spent: 100 } }];
    const answer = await preview(api, { mapping: [test('b', 500), vip] }, contexts);
    expect(gemsOf(answer).contexts).toBe(1);
  });

  it.each([
    ['no users at all', { madeUp: 0 }, 'invalid_body'],
    ['more than a preview takes', { madeUp: 10_001 }, 'invalid_body'],
    ['all lines and a text', { text: '1', lines: [{ appVersion: '0.0.0' }] }, 'invalid_body'],
    ['no line', { lines: [] }, 'invalid_body'],
    [
      'a line twice',
      { lines: [{ appVersion: '0.0.0' }, { appVersion: '0.0.0', text: '1' }] },
      'invalid_body',
    ],
    ['a line that has no text', { lines: [{ appVersion: '7.0.0' }] }, 'line_not_found'],
    ['a faulty text of a line', { lines: [{ appVersion: '0.0.0', text: '{' }] }, 'invalid_content'],
  ])('refuses %s', async (_, head, code) => {
    const api = await shop();
    expect((await preview(api, head)).body.code).toBe(code);
  });
});
