/** Releases in words: stages, steps, brake, changes, times, and what comes next. */
import { describe, expect, it } from 'vitest';
import { formatZoned } from '../../../../src/console/parts/time/zoned.js';
import { changedSince } from '../../../../src/console/release/words/changed-since.js';
import { countRows } from '../../../../src/console/release/words/count-rows.js';
import { countdownText } from '../../../../src/console/release/words/countdown-text.js';
import { describeTimelineEvent } from '../../../../src/console/release/words/timeline-words.js';
import { brakeOf, typedBrakeOf } from '../../../../src/console/release/words/typed-brake.js';
import { whatNext } from '../../../../src/console/release/words/what-next.js';
import { pollMsOf } from '../../../../src/console/releases/polling.js';
import {
  brakeSentences,
  evidenceShare,
  hasNoControl,
} from '../../../../src/console/releases/words/brake.js';
import { describeChange, listNames } from '../../../../src/console/releases/words/change-words.js';
import { stagesOf } from '../../../../src/console/releases/words/release-states.js';
import {
  formatMinutes,
  formatSteps,
  nextStep,
  stepIssue,
  stepPresets,
  typedSteps,
} from '../../../../src/console/releases/words/steps.js';
import { aChange, aRelease } from './a-release.js';

const receipts = { action: 'stop', receipts: { minutes: 10 }, query: null } as const;

it('a release is read again until it has ended, and more often while it ramps', () => {
  for (const state of ['reverted', 'cancelled'] as const) expect(pollMsOf(state)).toBe(false);
  for (const state of ['draft', 'scheduled', 'live', 'stopped', 'failed'] as const) {
    expect(pollMsOf(state)).toBeGreaterThan(Number(pollMsOf('ramping')));
  }
  expect(pollMsOf('paused')).toBe(pollMsOf('ramping'));
});

describe('the stages of a release', () => {
  const labels = (release: ReturnType<typeof aRelease>): string[] =>
    stagesOf(release).map(({ label, progress }) => `${progress}: ${label}`);

  it('leave out the review where none is asked for, and the ramp where there are no steps', () => {
    const review = { ...aRelease().review, required: 0 };
    expect(labels(aRelease({ review, steps: [] }))).toEqual(['now: Draft', 'ahead: Live']);
  });

  it('show a pause, and its share, where the ramp is', () => {
    expect(labels(aRelease({ state: 'paused', percent: 10 }))).toEqual([
      ...['done: Draft', 'done: In review', 'done: Approved'],
      ...['now: Paused 10\u00a0%', 'ahead: Live'],
    ]);
  });

  it('always have one that is now', () => {
    for (const state of ['draft', 'stopped', 'failed', 'reverted', 'cancelled'] as const) {
      const stages = stagesOf(aRelease({ state, steps: [] }));
      expect(stages.filter(({ progress }) => progress === 'now')).toHaveLength(1);
    }
  });
});

describe('the steps of a ramp', () => {
  it('are one sentence that ends with all players', () => {
    expect(formatSteps(stepPresets[0]?.steps ?? [])).toBe(
      '1 % for 10 min, 10 % for 1 h, 50 % for 1 h, then live for all players (2 h 10 min in all).',
    );
    expect(formatSteps([])).toMatch(/^No ramp/);
  });

  it.each([
    [0, '0 min'],
    [90, '1 h 30 min'],
    [24 * 60, '1 d'],
  ])('last %i minutes as %s', (minutes, text) => {
    expect(formatMinutes(minutes)).toBe(text);
  });

  it('are sent only when each is larger than the one before it', () => {
    const good = [
      { percent: 0.5, holdMinutes: 0 },
      { percent: 100, holdMinutes: 5 },
    ];
    expect(typedSteps(good)).toEqual(good);
    expect(typedSteps(good.toReversed())).toBeNull();
    expect(stepIssue(good.toReversed(), 1)).toBe('More than the 100 % before it.');
    expect(stepIssue([{ percent: 0.55, holdMinutes: 1 }], 0)).toBe('In steps of 0.1 %.');
    expect(stepIssue([{ percent: '', holdMinutes: 1 }], 0)).toBe('Enter a share.');
    expect(stepIssue([{ percent: 1, holdMinutes: '' }], 0)).toBe('Enter how long it lasts.');
  });

  it('grow tenfold with a further row, up to all players', () => {
    expect(nextStep([])).toEqual({ percent: 1, holdMinutes: 60 });
    expect(nextStep([{ percent: 1, holdMinutes: 10 }])).toEqual({ percent: 10, holdMinutes: 10 });
    expect(nextStep([{ percent: 50, holdMinutes: 10 }]).percent).toBe(100);
  });
});

describe('a brake', () => {
  it('comes back from its form as it was', () => {
    const query = { query: 'up', below: 1, minutes: 2, noData: 'bad' } as const;
    for (const brake of [null, receipts, { ...receipts, action: 'pause', query } as const]) {
      expect(brakeOf(typedBrakeOf(brake))).toEqual(brake);
    }
  });

  it('is incomplete without a query or a number', () => {
    const typed = { ...typedBrakeOf(null), hasQuery: true };
    expect(brakeOf(typed)).toBeUndefined();
    expect(brakeOf({ ...typed, query: 'up' })).toBeUndefined();
    expect(brakeOf({ ...typed, query: 'up', threshold: 0 })).toMatchObject({ query: { above: 0 } });
  });

  it('says what trips it, and that none is there', () => {
    expect(brakeSentences(null)).toEqual(['No brake: only people stop it.']);
    const query = { query: 'up', below: 1, minutes: 2, noData: 'bad' } as const;
    expect(brakeSentences({ ...receipts, action: 'pause', query })[1]).toBe(
      'Pauses when up is below 1 for 2 min. No data counts as bad.',
    );
  });

  it('has no one to compare with at 100 %', () => {
    const steps = [{ percent: 100, holdMinutes: 60 }];
    expect(hasNoControl({ steps, brake: receipts })).toBe(true);
    expect(hasNoControl({ steps, brake: null })).toBe(false);
  });

  it('shows evidence on the scale on which it grows', () => {
    expect(evidenceShare({ value: 0.3, limit: 100 })).toBe(0);
    expect(evidenceShare({ value: 10, limit: 100 })).toBeCloseTo(0.5);
    expect(evidenceShare({ value: 1_000, limit: 100 })).toBe(1);
  });
});

describe('a change', () => {
  it('is compared with what is live, and once live with what it replaced', () => {
    const change = aChange({ base: 3, live: 5 });
    expect(describeChange(change, 'draft')).toBe('r5 → r4');
    expect(describeChange(change, 'live')).toBe('r3 → r4');
    expect(describeChange(aChange({ live: null }), 'draft')).toBe('new, r4');
    expect(describeChange(aChange({ revision: null }), 'draft')).toBe('r3 deleted');
  });

  it('of the environment names its policy', () => {
    const edit = { review: 2, protected: false };
    const added = { addedBy: 'mei', addedAt: '', conflict: false } as const;
    expect(describeChange({ kind: 'environment', edit, ...added }, 'draft')).toBe(
      '2 approvals needed, not protected',
    );
  });

  it('is listed when something else was published over a live release', () => {
    const changes = [aChange({ conflict: true, live: 9 }), aChange({ id: 'offers' })];
    expect(changedSince({ state: 'live', changes })).toEqual(['shop: r9 is live now']);
    expect(changedSince({ state: 'draft', changes })).toEqual([]);
  });

  it('stands in a list that counts what it leaves out', () => {
    expect(listNames(['a', 'b', 'c'])).toBe('a, b and c');
    expect(listNames(['a', 'b', 'c'], 2)).toBe('a, b and 1 more');
  });
});

describe('what comes next', () => {
  it('is the next step, or going live, with its time', () => {
    const at = '2026-11-24T13:00:00Z';
    const steps = [
      { percent: 1, holdMinutes: 10 },
      { percent: 10, holdMinutes: 10 },
    ];
    const ramp = { run: 1, step: 0, percent: 1, since: at, counts: null, evidence: null };
    const next = { action: 'step', at } as const;
    expect(whatNext(aRelease({ state: 'ramping', steps, ramp: { ...ramp, next } }))).toEqual({
      ...{ text: 'Goes to 10 %', at },
    });
    const live = { action: 'live', at } as const;
    expect(
      whatNext(aRelease({ state: 'ramping', steps, ramp: { ...ramp, step: 1, next: live } }))?.text,
    ).toBe('Goes live for all players');
  });

  it('counts the approvals that are missing', () => {
    const approval = { user: 'nora', at: '', comment: '', counts: true, reason: '' };
    const review = { ...aRelease().review, required: 2, approvals: [approval] };
    expect(whatNext(aRelease({ state: 'review', review }))?.text).toBe('Waits for 1 approval.');
  });

  it('is counted down', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    expect(countdownText('2026-11-24T12:09:05Z', now)).toBe('in 9 min 5 s');
    expect(countdownText('2026-11-24T14:30:20Z', now)).toBe('in 2 h 30 min');
    expect(countdownText('2026-11-24T11:59:00Z', now)).toBe('any moment now');
  });
});

describe('a time for people in several places', () => {
  it('is in their zone and in UTC, whose day is named where it is another', () => {
    expect(formatZoned('2026-11-27T17:00:00Z', 'Europe/Berlin')).toBe(
      'Fri 27 Nov, 18:00 Europe/Berlin (17:00 UTC)',
    );
    expect(formatZoned('2026-11-27T23:30:00Z', 'Asia/Tokyo')).toBe(
      'Sat 28 Nov, 08:30 Asia/Tokyo (Fri 27 Nov, 23:30 UTC)',
    );
    expect(formatZoned('2026-11-27T17:00:00Z', 'UTC')).toBe('Fri 27 Nov, 17:00 UTC');
  });
});

describe('the timeline', () => {
  const event = {
    at: '',
    by: 'mei',
    state: 'ramping',
    sequence: 1,
    percent: null,
    text: '',
  } as const;

  it('says who did what, and what happened by itself', () => {
    expect(describeTimelineEvent({ ...event, event: 'release.start', percent: 1 })).toBe(
      'mei started the ramp: 1 %.',
    );
    expect(describeTimelineEvent({ ...event, event: 'release.stop', by: 'system' })).toBe(
      'The ramp was stopped.',
    );
    expect(describeTimelineEvent({ ...event, event: 'release.approve', state: 'approved' })).toBe(
      'mei approved it. Now: approved.',
    );
  });

  it('shows an event that a later version has', () => {
    expect(describeTimelineEvent({ ...event, event: 'release.bounce' })).toBe('mei bounce.');
  });
});

describe('the counts of a ramp', () => {
  it('are shares of the players that are counted, in each slice', () => {
    const slice = { users: 200, healthy: 150, failed: 3, missing: 10, waiting: 40, networks: 9 };
    const rows = countRows({ candidate: slice, control: { ...slice, users: 0, missing: 0 } });
    expect(rows.find(({ title }) => title === 'Missing')).toEqual({
      ...{ title: 'Missing', candidate: '10 (5.0 %)', control: '0' },
    });
  });
});
