/** Reports of followers: one with a member that this server could not show or write is refused as a whole. */
import { describe, expect, it } from 'vitest';
import { ofrepProblems } from '../../../../src/delivery/ofrep/ofrep-errors.js';
import { problems } from '../../../../src/delivery/problems.js';
import { relayedSchema } from '../../../../src/management/follow/relayed-schema.js';
import { rejectionCodes, rejectionText } from '../../../../src/published/request-report.js';

const dayMs = 24 * 3_600_000;
const hash = 'ab'.repeat(32);
const now = (): number => Date.now() + 0.25;
const today = (): string => new Date().toISOString().slice(0, 10);

const rejected = { code: 'not_found', status: 404, environment: 'game', keyHash: hash };
const items = (text: string, lastMs = now()) => ({ items: [[text, 1, lastMs]], offset: 0 });
const none = { items: [], offset: 0 };

function receipt(of: object, user: object = {}): object {
  return {
    ...{ environment: 'game', release: '7', run: 1, step: 0, ...of },
    users: [
      {
        ...{ userHash: '0123456789abcdef', network: '', slice: 'control' },
        ...{ startedAt: now(), ok: null, ...user },
      },
    ],
  };
}

function assigned(of: object): object {
  return { environment: 'game', experiment: 'exp', phase: 1, day: today(), users: '', ...of };
}

function seen(of: object): object {
  return { environment: 'game', names: ['level'], values: [], sampled: null, ...of };
}

function requests(of: object): object {
  return { requests: [['', 2]], rejected: [], keyed: none, unkeyed: none, ...of };
}

function sampled(json: string): object {
  return seen({ sampled: { requests: 1.5, contexts: [{ json, isReduced: false }] } });
}

const empty = { used: [], traffic: [], receipts: [], assigned: [], requests: [] };
const isTaken = (part: object): boolean => relayedSchema.safeParse({ ...empty, ...part }).success;

describe('a report of a follower', () => {
  it('is taken with what delivery processes say, and times without fractions', () => {
    const text = rejectionText({ ...rejected, content: 'a\nb' });
    const taken = relayedSchema.parse({
      used: [[hash, 1_700_000_000_000.75]],
      traffic: [
        seen({ values: [{ name: 'level', looked: 4, values: [['"x"', 2]] }] }),
        sampled('{"u":"x","p":{}}'),
      ],
      receipts: [receipt({})],
      assigned: [assigned({})],
      requests: [
        requests({ rejected: [['game', 'not_found', 404, 1]], keyed: items(text) }),
        requests({
          rejected: [['', 'invalid_api_key', 401, 1]],
          unkeyed: items(
            rejectionText({
              ...{
                code: 'invalid_api_key',
                status: 401,
                environment: '',
                keyHash: '',
                content: '',
              },
            }),
          ),
        }),
      ],
    });
    expect(taken.used).toEqual([[hash, 1_700_000_000_000]]);
    expect(taken.receipts[0]?.users[0]?.startedAt).toSatisfy(Number.isInteger);
  });

  it.each<[string, object]>([
    ['a use of the far future', { used: [[hash, 8.64e15]] }],
    [
      'a start of the far future',
      { receipts: [receipt({}, { startedAt: Date.now() + 2 * dayMs })] },
    ],
    ['half a run', { receipts: [receipt({ run: 1.5 })] }],
    ['half a step', { receipts: [receipt({ step: 0.5 })] }],
    ['a release that is no number', { receipts: [receipt({ release: 'seven' })] }],
    ['an environment that is none', { receipts: [receipt({ environment: 'a\u0000b' })] }],
    ['half a phase', { assigned: [assigned({ phase: 0.5 })] }],
    ['an experiment that is none', { assigned: [assigned({ experiment: 'e\u0000' })] }],
    ['a day that no month has', { assigned: [assigned({ day: '2026-02-31' })] }],
    ['a day of the far future', { assigned: [assigned({ day: '9999-01-01' })] }],
    ['an attribute with control characters', { traffic: [seen({ names: ['a\u0007'] })] }],
    ['a context of two lines', { traffic: [sampled('{"u":\n1}')] }],
    ['a context that is not JSON', { traffic: [sampled('{"u":')] }],
    [
      'a code that is none',
      { requests: [requests({ rejected: [['game', 'Not found!', 404, 1]] })] },
    ],
    [
      'a status of no rejection',
      { requests: [requests({ rejected: [['', 'not_found', 200, 1]] })] },
    ],
    ['half a request', { requests: [requests({ requests: [['game', 0.5]] })] }],
    ['requests of no environment', { requests: [requests({ requests: [['A B', 1]] })] }],
    ['a reason that is none', { requests: [requests({ keyed: items('x') })] }],
    [
      'a reason of the far future',
      {
        requests: [
          requests({ keyed: items(rejectionText({ ...rejected, content: '' }), 8.64e15 + 1) }),
        ],
      },
    ],
  ])('is refused with %s', (_, part) => {
    expect(isTaken(empty)).toBe(true);
    expect(isTaken(part)).toBe(false);
  });

  it('has codes that only a newer version knows as one', () => {
    const text = rejectionText({ ...rejected, code: 'too_heavy', content: 'a\nb' });
    const report = requests({ rejected: [['game', 'too_heavy', 413, 2]], keyed: items(text) });
    const { requests: taken } = relayedSchema.parse({ ...empty, requests: [report] });
    expect(taken[0]?.rejected).toEqual([['game', 'other', 413, 2]]);
    expect(taken[0]?.keyed.items[0]?.[0]).toBe(
      rejectionText({ ...rejected, code: 'other', content: 'a\nb' }),
    );
  });

  it('may have the codes of all problems of delivery', () => {
    for (const { code } of [...Object.values(problems), ...Object.values(ofrepProblems)]) {
      expect(rejectionCodes).toContain(code);
    }
  });
});
