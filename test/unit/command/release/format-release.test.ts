import { describe, expect, it } from 'vitest';
import {
  formatBrake,
  formatChange,
  formatCounts,
  formatMinutes,
  formatState,
  formatSteps,
} from '../../../../src/command/release/format-release.js';
import type { Release, ReleaseState } from '../../../../src/contract/schemas/release.js';

const time = '2026-01-01T00:00:00.000Z';
const counts = { users: 1204, healthy: 1180, failed: 3, missing: 9, waiting: 15, networks: 80 };
const ramp = {
  run: 1,
  step: 0,
  percent: 1,
  since: time,
  next: { action: 'step', at: time },
  counts: { candidate: counts, control: { ...counts, users: 1, failed: 0, missing: 0 } },
  evidence: null,
} as const;
const release: Release = {
  release: 3,
  environment: 'prod',
  title: 'Winter event',
  state: 'draft',
  version: 1,
  changes: [],
  findings: [],
  findingsCut: false,
  confirmed: null,
  createdBy: 'ada',
  createdAt: time,
  updatedAt: time,
  scheduledAt: time,
  percent: null,
  reason: '',
  description: '',
  reach: { contents: [], segments: [] },
  steps: [
    { percent: 1, holdMinutes: 10 },
    { percent: 100, holdMinutes: 60 },
  ],
  brake: null,
  schedule: null,
  review: { required: 2, digest: 'd', submittedBy: null, submittedAt: null, approvals: [] },
  ramp: null,
  overlaps: [],
  emergency: null,
  sequence: null,
  liveAt: time,
  endedAt: time,
};

describe('formatState', () => {
  const states: readonly (readonly [ReleaseState, Partial<Release>, string])[] = [
    ['draft', {}, 'is a draft with 0 changes.'],
    ['review', {}, 'is in review: 0 of 2 approvals.'],
    ['approved', {}, 'is approved.'],
    ['scheduled', {}, `is scheduled for ${time}.`],
    ['ramping', { ramp }, `is ramping at 1 % (step 1 of 2); 100 % follow at ${time}.`],
    [
      'ramping',
      { ramp: { ...ramp, step: 1, percent: 100, next: { action: 'live', at: time } } },
      `is ramping at 100 % (step 2 of 2); it goes live at ${time}.`,
    ],
    ['paused', { ramp: { ...ramp, next: null } }, 'is paused at 1 % (step 1 of 2).'],
    ['live', {}, `is live since ${time}.`],
    ['reverted', {}, `was reverted at ${time}.`],
    ['stopped', { reason: 'Crashes.' }, `was stopped at ${time}: Crashes.`],
    ['failed', { reason: 'Too late.' }, `failed at ${time}: Too late.`],
    ['cancelled', {}, `was cancelled at ${time}.`],
  ];

  it.each(states)('says in one sentence that a release is %s', (state, members, sentence) => {
    const text = formatState({ ...release, state, ...members });
    expect(text).toBe(`Release 3 of prod ${sentence}`);
  });

  it('counts the approvals that count', () => {
    const approval = { user: 'bob', at: time, comment: '', reason: '' };
    const approvals = [
      { ...approval, counts: true },
      { ...approval, counts: false },
    ];
    const review = { ...release.review, approvals };
    expect(formatState({ ...release, state: 'review', review })).toContain('1 of 2 approvals');
  });

  it('steers no terminal by the reason that a person typed', () => {
    const text = formatState({ ...release, state: 'stopped', reason: 'a\u001b[2Jb\nc' });
    expect(text).toContain('a [2Jb c');
  });
});

describe('formatChange', () => {
  const change = {
    kind: 'content',
    id: 'shop',
    revision: 12,
    author: 'ada',
    note: 'prices',
    base: 11,
    live: 11,
    conflict: false,
    addedBy: 'ada',
    addedAt: time,
  } as const;

  it('says what is over what, and by whom', () => {
    expect(formatChange(change)).toBe(
      'content shop: revision 12 (revision 11 is live), by ada: prices',
    );
    expect(formatChange({ ...change, revision: null, author: '', note: '' })).toBe(
      'content shop: deletion (revision 11 is live)',
    );
    const { id: _, ...segment } = change;
    expect(formatChange({ ...segment, kind: 'segment', name: 'vip', live: null, note: '' })).toBe(
      'segment vip: revision 12 (nothing is live), by ada',
    );
  });

  it('names the base of a conflict', () => {
    expect(formatChange({ ...change, live: 13, conflict: true })).toBe(
      'content shop: revision 12 (revision 13 is live) CONFLICT: its base was revision 11, by ada: prices',
    );
    expect(formatChange({ ...change, base: null, conflict: true })).toContain(
      'CONFLICT: its base was nothing live, by ada',
    );
  });

  it('says what becomes of the environment', () => {
    const edit = { review: 1, protected: false, delete: true } as const;
    const added = { addedBy: 'ada', addedAt: time, conflict: false } as const;
    expect(formatChange({ kind: 'environment', edit, ...added })).toBe(
      'environment: asks for 1 approval, not protected, deleted',
    );
  });
});

describe('the ramp', () => {
  it('lists the steps with their durations', () => {
    expect(formatSteps(release.steps)).toBe('1 % for 10 min, 100 % for 1 h');
    expect(formatSteps([])).toBe('none: it goes live at once');
    const minutes = [0, 59, 60, 90, 1440, 1501].map(formatMinutes);
    expect(minutes).toEqual(['0 min', '59 min', '1 h', '1 h 30 min', '1 d', '1 d 1 h 1 min']);
  });

  it('has both slices in one line', () => {
    expect(formatCounts(ramp)).toBe(
      'candidate 1204 users, 9 missing (3 reported a crash); control 1 user, 0 missing',
    );
    expect(formatCounts({ ...ramp, counts: null })).toBe('no receipts are counted');
  });
});

describe('formatBrake', () => {
  it('says what trips it', () => {
    const receipts = { minutes: 10 };
    const query = { query: 'rate(crashes[5m])', above: 5, minutes: 2, noData: 'bad' } as const;
    expect(formatBrake(null)).toBe('none');
    expect(formatBrake({ action: 'stop', receipts, query })).toBe(
      'stops when players miss healthy starts, waited for 10 min, or when rate(crashes[5m]) is above 5 for 2 min; no data counts as bad',
    );
    expect(
      formatBrake({
        ...{ action: 'pause', receipts: { minutes: 1 } },
        query: { query: 'up', below: 1, minutes: 0, noData: 'ignore' },
      }),
    ).toBe(
      'pauses when players miss healthy starts, waited for 1 min, or when up is below 1 for 0 min',
    );
  });
});
