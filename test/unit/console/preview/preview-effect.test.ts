import { describe, expect, it } from 'vitest';
import type { SavedContent } from '../../../../src/console/draft/draft.js';
import { previewBody } from '../../../../src/console/preview/preview-call.js';
import {
  describeRuleChanges,
  percent,
  untriedRules,
} from '../../../../src/console/preview/results/describe-rule-changes.js';
import type { RuleChange } from '../../../../src/contract/operations/preview.js';

const saved: SavedContent = {
  ...{ env: 'staging', id: 'shop', newest: 3, live: 2, author: 'owner', updatedAt: '' },
  ...{ description: '', tags: [], schema: 'null', mapping: '[\n]', flags: [], guards: [] },
  lines: [
    { appVersion: '0.0.0', text: '{"a":1}' },
    { appVersion: '2.0.0', text: '{"a":2}' },
  ],
};
const user = '{"u":"ada",\n"p":{"n":1.10}}';
const madeUp = 1_000;

describe('the preview of who publishes', () => {
  it('is of a saved revision as it is', () => {
    const body = previewBody({ saved, state: saved, revision: 3, madeUp }, []);
    expect(JSON.parse(body)).toEqual({ id: 'shop', revision: 3, madeUp: 1_000 });
  });

  it('is of all lines that are typed, with the texts that are not saved', () => {
    const lines = [
      { appVersion: '0.0.0', text: '{"a":1}' },
      { appVersion: '3.0.0', text: '{\n"a":3}' },
    ];
    const state = { ...saved, lines, mapping: '[ {"segment": "x",\n "merge": {"p": 1.10}} ]' };
    const [head = '', ...users] = previewBody({ saved, state, revision: null, madeUp }, [
      user,
    ]).split('\n');
    expect(JSON.parse(head)).toEqual({
      ...{ id: 'shop', revision: 3, madeUp: 1_000 },
      lines: [{ appVersion: '0.0.0' }, { appVersion: '3.0.0', text: '{\n"a":3}' }],
      mapping: [{ segment: 'x', merge: { p: 1.1 } }],
    });
    expect(head).toContain('1.10');
    expect(users).toEqual(['{"u":"ada", "p":{"n":1.10}}']);
  });

  it('is of a content that is not there yet', () => {
    const state = { ...saved, newest: 0, live: null };
    expect(JSON.parse(previewBody({ saved: state, state, revision: null }, []))).toMatchObject({
      lines: [{ text: '{"a":1}' }, { text: '{"a":2}' }],
      mapping: [],
    });
  });
});

const change = (more: Partial<RuleChange>): RuleChange => ({
  ...{ segment: 'gems', now: 0, edit: 0, test: true, contexts: 400, joined: 0 },
  otherVariant: { contexts: 0, share: 0 },
  left: { contexts: 0, share: 0 },
  ...more,
});

describe('what an edit does to a rule, in words', () => {
  it('names who sees another variant, leaves and joins, those that move most first', () => {
    const moved = change({
      otherVariant: { contexts: 208, share: 0.52 },
      left: { contexts: 1, share: 0.0025 },
      joined: 1_200,
    });
    const joined = change({ segment: 'vip', test: false, joined: 3 });
    expect(describeRuleChanges([joined, change({ segment: 'same' }), moved])).toEqual([
      'Test gems: of the 400 users in it, 52 % would see another variant and under 1 % would leave it; 1,200 would join it.',
      'Rule vip: 3 would join it.',
    ]);
  });

  it('leaves out rules that are new or removed: the difference says that', () => {
    const left = { contexts: 400, share: 1 };
    expect(
      describeRuleChanges([change({ edit: null, left }), change({ now: null, joined: 9 })]),
    ).toEqual([]);
  });

  it('names rules that no made-up user gets', () => {
    const rule = { rule: 0, share: 0, variants: [] };
    const rules = [
      { ...rule, segment: 'met', contexts: 1, missed: 0 },
      { ...rule, segment: 'missed', contexts: 0, missed: 2 },
      { ...rule, segment: 'closed', contexts: 0, missed: 0 },
    ];
    const edit = { lines: [], notFound: { contexts: 0, share: 0 }, rules, answers: 1 };
    expect(untriedRules({ edit })).toEqual(['closed']);
    expect([percent(0), percent(0.001), percent(0.346), percent(1)]).toEqual([
      '0 %',
      'under 1 %',
      '35 %',
      '100 %',
    ]);
  });
});
