import { describe, expect, it } from 'vitest';
import { infoLengthMax } from '../../../../src/content/mapping/mapping-limits.js';
import { findAbTests } from '../../../../src/management/contents/warnings/find-ab-tests.js';
import { abTestsShownBytesMax } from '../../../../src/management/limits/evaluation.js';
import { startApi, tester, tokenOf } from '../harness.js';
import { saveRows } from '../store/stored-contents.js';

const halves = [
  { name: 'control', groups: [0, 499] },
  { name: 'more', groups: [500, 999], merge: { gems: 150 } },
];

describe('the A/B tests of an environment', () => {
  it('are the rules with variants of what is live, by content', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/newcomers', { when: { level: { $lt: 5 } } });
    await api.dev('PUT', '/contents/Shop', {
      text: '{}',
      mapping: [
        { segment: 'everybody', when: {}, merge: { a: 1 } },
        {
          segment: 'newcomers',
          info: 'wave-2',
          salt: 'gems-1',
          from: '2026-11-01T00:00:00+01:00',
          until: '2026-12-01T00:00:00Z',
          variants: [
            { name: 'a', groups: [0, 99], info: 'wave-2a', replace: {} },
            { name: 'b', groups: [900, 999], patch: [{ op: 'add', path: '/x', value: 1 }] },
          ],
        },
      ],
    });
    await api.dev('PUT', '/contents/arena', {
      text: '{"gems":1}',
      mapping: [{ segment: 'gems', when: { level: 1 }, variants: halves }],
    });
    await api.dev('PUT', '/contents/plain', { text: '{}' });
    const answer = await api.dev('GET', '/tests');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        cut: false,
        tests: [
          {
            content: 'arena',
            revision: 1,
            live: true,
            rule: 0,
            segment: 'gems',
            saved: false,
            info: null,
            salt: null,
            ...{ layer: null, slice: null, holdout: false },
            from: null,
            until: null,
            local: false,
            repeat: null,
            variants: [
              { name: 'control', groups: [0, 499], info: null, mutation: null },
              { name: 'more', groups: [500, 999], info: null, mutation: 'merge' },
            ],
          },
          {
            content: 'Shop',
            revision: 1,
            live: true,
            rule: 1,
            segment: 'newcomers',
            saved: true,
            info: 'wave-2',
            salt: 'gems-1',
            ...{ layer: null, slice: null, holdout: false },
            from: '2026-10-31T23:00:00.000Z',
            until: '2026-12-01T00:00:00.000Z',
            local: false,
            repeat: null,
            variants: [
              { name: 'a', groups: [0, 99], info: 'wave-2a', mutation: 'replace' },
              { name: 'b', groups: [900, 999], info: null, mutation: 'patch' },
            ],
          },
        ],
      },
    ]);
  });

  it('keep local times without a zone, and say when they repeat, defaults included', async () => {
    const api = await startApi();
    const repeat = { days: ['sun', 'fri'], from: '18:00', until: '10:00' };
    await api.dev('PUT', '/contents/shop', {
      text: '{"gems":1}',
      mapping: [
        {
          ...{ segment: 'weekend', when: {}, variants: halves },
          ...{ from: '2026-11-27T18:00:00', until: '2026-12-31T00:00:00.5' },
          repeat: { ...repeat, plusDays: 3, everyWeeks: 2 },
        },
        { segment: 'nights', when: {}, variants: halves, repeat },
      ],
    });
    expect((await api.dev('GET', '/tests')).body.tests).toMatchObject([
      {
        ...{ from: '2026-11-27T18:00:00', until: '2026-12-31T00:00:00.500', local: true },
        repeat: { ...repeat, days: ['fri', 'sun'], plusDays: 3, everyWeeks: 2 },
      },
      {
        ...{ from: null, until: null, local: true },
        repeat: { ...repeat, days: ['fri', 'sun'], plusDays: 1, everyWeeks: 1 },
      },
    ]);
  });

  it('are those of the newest revisions instead, where drafts are asked for', async () => {
    const api = await startApi();
    const mapping = (salt: string | null) => [{ segment: 't', when: {}, salt, variants: halves }];
    await api.dev('PUT', '/contents/live', { text: '{}', mapping: mapping('one') });
    await api.dev('PUT', '/contents/live', { mapping: mapping('two'), publish: false });
    const draft = { text: '{}', mapping: mapping(null), publish: false };
    await api.dev('PUT', '/contents/only-draft', draft);
    const shown = async (path: string): Promise<unknown> =>
      (await api.dev('GET', path)).body.tests.map(
        (test: { content: string; revision: number; live: boolean; salt: string | null }) =>
          `${test.content} ${test.revision} ${test.live} ${test.salt}`,
      );
    expect(await shown('/tests')).toEqual(['live 1 true one']);
    expect(await shown('/tests?drafts=true')).toEqual([
      'live 2 false two',
      'only-draft 1 false null',
    ]);
    await api.dev('DELETE', '/contents/only-draft');
    expect(await shown('/tests?drafts=true')).toEqual(['live 2 false two']);
  });

  it('are found beyond the contents that are read at a time', async () => {
    const api = await startApi();
    const contents = Array.from({ length: 1_001 }, (_, n) => [`content-${n}`, ['{}']] as const);
    await api.store.write(tester, (write) => saveRows(write, new Map(contents)));
    const mapping = [{ segment: 't', when: {}, variants: halves }];
    await api.dev('PUT', '/contents/last', { text: '{"gems":1}', mapping });
    expect((await api.dev('GET', '/tests')).body.tests).toMatchObject([{ content: 'last' }]);
  });

  it('are cut where they are too many bytes for an answer', async () => {
    const api = await startApi();
    const info = '\u20ac'.repeat(infoLengthMax);
    const mapping = Array.from({ length: 500 }, (_, n) => {
      return { segment: `t${n}`, when: {}, info, variants: halves };
    });
    // A test takes a few hundred bytes beside its remark.
    const bytes = (Buffer.byteLength(info) + 350) * mapping.length;
    const count = Math.ceil(abTestsShownBytesMax / bytes);
    for (let n = 0; n < count; n += 1) {
      await api.dev('PUT', `/contents/content-${n}`, { text: '{}', mapping });
    }
    const { body } = await api.dev('GET', '/tests');
    expect([body.cut, body.tests.length]).toEqual([true, (count - 1) * mapping.length]);
    await api.dev('DELETE', '/contents/content-0');
    expect((await api.dev('GET', '/tests')).body.cut).toBe(false);
  });

  it('are shown to viewers; an environment that is not there has none', async () => {
    const api = await startApi();
    const viewer = await tokenOf(api, 'viewer');
    expect((await api.dev('GET', '/tests', undefined, viewer)).status).toBe(200);
    const refused = await api.call('GET', '/admin/v1/environments/nowhere/tests');
    expect([refused.status, refused.body.code]).toEqual([404, 'environment_not_found']);
    expect((await api.dev('GET', '/tests?drafts=maybe')).body.code).toBe('invalid_request');
    expect((await api.dev('GET', '/tests', undefined, null)).status).toBe(401);
  });
});

describe('the A/B tests of a mapping', () => {
  it('are none where the mapping is none', () => {
    expect(findAbTests(Buffer.from('[{"segment":""}]'))).toEqual([]);
    expect(findAbTests(Buffer.from('nonsense'))).toEqual([]);
  });
});
