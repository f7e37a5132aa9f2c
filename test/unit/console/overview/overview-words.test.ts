/*
 * Goal: the overview says what matters first, and says it in plain words.
 * Method: entries of a calendar, experiments and drifts, made by hand, around one moment: Wednesday 25 November 2026, 12:00 UTC.
 */
import { describe, expect, it } from 'vitest';
import type {
  Bar,
  CalendarRow,
  WindowLine,
} from '../../../../src/console/calendar/calendar-rows.js';
import { scaleAround } from '../../../../src/console/calendar/time-scale.js';
import { describeExperiment } from '../../../../src/console/overview/words/describe-experiment.js';
import { describePublication } from '../../../../src/console/overview/words/describe-publication.js';
import { describeWaiting } from '../../../../src/console/overview/words/describe-release.js';
import {
  dueWindows,
  isOpen,
  shownBar,
} from '../../../../src/console/overview/words/due-windows.js';
import {
  describeDrift,
  hotfixesOf,
  syncPath,
} from '../../../../src/console/overview/words/overview-sides.js';
import { marksOf } from '../../../../src/console/overview/words/publication-marks.js';
import type {
  Drift,
  ExperimentLead,
  OverviewExperiment,
  OverviewPublication,
} from '../../../../src/contract/operations/overview.js';
import type { ReleaseState } from '../../../../src/contract/schemas/release.js';

const now = Date.UTC(2026, 10, 25, 12);
const hour = 3_600_000;
const iso = (hours: number): string => new Date(now + hours * hour).toISOString();

/** Hours from now. */
function barAt(from: number, until: number, ghostHours = 0): Bar {
  const [startMs, endMs] = [now + from * hour, now + until * hour];
  const ghost =
    ghostHours === 0
      ? null
      : { startMs: startMs - ghostHours * hour, endMs: endMs + ghostHours * hour };
  const occurrence = { from: null, until: null, earliest: null, latest: null };
  return { key: `${from}`, startMs, endMs, ghost, occurrence };
}

function windowOf(segment: string, bars: readonly Bar[], more: object = {}): WindowLine {
  const entry = {
    ...{ id: segment, kind: 'window', content: 'shop', revision: 1, rule: 0, segment },
    ...{ variants: null, local: false, repeat: null, from: null, until: null, occurrences: [] },
    ...{ live: true, release: null, ...more },
  } as WindowLine['entry'];
  return { kind: 'window', entry, bars, conflicts: [] };
}

const rowsOf = (lines: readonly WindowLine[]): CalendarRow[] => [{ content: 'shop', lines }];

describe('windows of the overview', () => {
  it('are those that are open, then those to come, then those that are over', () => {
    const rows = rowsOf([
      windowOf('over', [barAt(-40, -30)]),
      windowOf('later', [barAt(30, 40)]),
      windowOf('just over', [barAt(-9, -1)]),
      windowOf('soon', [barAt(2, 3)]),
      windowOf('open', [barAt(-1, 1)]),
    ]);
    const names = dueWindows(rows, now).map(({ entry }) => entry.segment);
    expect(names).toEqual(['open', 'soon', 'later', 'just over', 'over']);
  });

  it('are not those of drafts that no release brings', () => {
    const rows = rowsOf([
      windowOf('draft', [barAt(-1, 1)], { live: false }),
      windowOf('brought', [barAt(-1, 1)], { live: false, release: 3 }),
    ]);
    expect(dueWindows(rows, now).map(({ entry }) => entry.segment)).toEqual(['brought']);
  });

  it('are open while they are so for any player in the world', () => {
    expect(isOpen(windowOf('a', [barAt(1, 2)]), now)).toBe(false);
    expect(isOpen(windowOf('a', [barAt(1, 2, 14)]), now)).toBe(true);
    expect(isOpen(windowOf('a', [barAt(0, 1)]), now)).toBe(true);
    expect(isOpen(windowOf('a', [barAt(-1, 0)]), now)).toBe(false);
    expect(isOpen(windowOf('a', [barAt(0, 1)], { live: false, release: 3 }), now)).toBe(false);
  });

  it('say the times of the occurrence that is open, or else of the next or last one', () => {
    const [past, present, next] = [barAt(-50, -40), barAt(-1, 1), barAt(40, 50)];
    expect(shownBar(windowOf('a', [past, present, next]), now)).toBe(present);
    expect(shownBar(windowOf('a', [past, next]), now)).toBe(next);
    expect(shownBar(windowOf('a', [past]), now)).toBe(past);
    expect(shownBar(windowOf('a', []), now)).toBeNull();
  });
});

describe('marks of what became live', () => {
  const publication = (hours: number): OverviewPublication => ({
    ...{ at: iso(hours), contents: [{ id: 'shop', revision: 7 }], contentsLeftOut: 0 },
    ...{ author: 'mei', note: '' },
  });

  it('are one where they are too close together to be told apart', () => {
    const marks = marksOf([publication(-1), publication(-2), publication(-30)], scaleAround(now));
    expect(marks.map(({ titles }) => titles.length)).toEqual([1, 2]);
    expect(marks[0]?.titles[0]).toMatch(/: shop r7 went live$/);
  });

  it('are left out before the first day', () => {
    expect(marksOf([publication(-5 * 24)], scaleAround(now))).toEqual([]);
  });
});

describe('what became live', () => {
  const of = (contents: OverviewPublication['contents'], contentsLeftOut = 0): string =>
    describePublication({ contents, contentsLeftOut });

  it('is one revision, a deletion, or several at once', () => {
    expect(of([{ id: 'shop', revision: 7 }])).toBe('r7 went live');
    expect(of([{ id: 'shop', revision: null }])).toBe('was taken out of delivery');
    const two = [
      { id: 'shop', revision: 7 },
      { id: 'ads', revision: null },
    ];
    expect(of(two)).toBe('r7, ads (removed) changed together');
    expect(of(two, 4)).toBe('r7, ads (removed) and 4 others changed together');
  });
});

describe('the line of an experiment', () => {
  const experiment = (lead: OverviewExperiment['lead']): OverviewExperiment => ({
    ...{ id: 'prices', name: 'Prices', owner: '', content: 'shop', segment: 'test' },
    ...{ state: 'running', control: 'a', primaryMetric: null, plannedDays: 14, phase: 1 },
    ...{ phaseStartedAt: iso(-73), createdAt: iso(-80), startedAt: iso(-73) },
    ...{ stoppedAt: null, decidedAt: null, decision: null, lead },
  });
  const lead: ExperimentLead = {
    ...{ asOf: iso(-0.05), dataUntil: null, health: 'ok', kind: 'undecided' },
    ...{ text: 'No decision yet', variants: [] },
  };

  it('has its day, its lead, its players by variant, and from when that is', () => {
    const variants = [
      { name: 'a', players: 9_000 },
      { name: 'b', players: 3_000 },
    ];
    expect(describeExperiment(experiment({ ...lead, variants }), now)).toBe(
      'Day 4 of 14 · No decision yet · 12,000 players 75.0 % / 25.0 % · as of 3 minutes ago',
    );
    expect(describeExperiment(experiment(lead), now)).toBe(
      'Day 4 of 14 · No decision yet · as of 3 minutes ago',
    );
  });

  it('says that a result is not computed yet', () => {
    expect(describeExperiment(experiment(null), now)).toBe('Day 4 of 14 · result not computed yet');
  });
});

describe('releases that wait', () => {
  const release = {
    ...{ createdBy: 'mei', changes: 4, reason: '', percent: null },
    state: 'approved' as ReleaseState,
  };

  it('say for what', () => {
    const say = (waitsFor: 'approve' | 'go_live' | 'resume' | 'fix' | 'submit', more = {}) =>
      describeWaiting({ ...release, waitsFor, ...more });
    expect(say('approve')).toBe('waits for your approval: 4 changes by mei');
    expect(say('go_live')).toBe('is approved and can go live: 4 changes');
    expect(say('go_live', { state: 'draft' })).toBe(
      'waits for an owner to make it live: 4 changes by mei',
    );
    expect(say('resume', { percent: 5 })).toBe('is paused at 5 %');
    expect(say('fix', { reason: 'Too many crashes.' })).toBe('did not go live: Too many crashes.');
    expect(say('submit')).toBe('is a draft of yours: 4 changes');
  });
});

describe('other environments', () => {
  const drift: Drift = {
    ...{ from: 'staging', to: 'live', changed: 5, conflicts: 1, onlyThere: 0 },
    contents: [
      { id: 'ads', conflict: true, author: 'nora', savedAt: iso(-5) },
      { id: 'shop', conflict: false, author: 'mei', savedAt: iso(-9) },
    ],
  };
  const nameOf = (env: string): string => (env === 'live' ? 'Live' : 'Staging');

  it('are ahead or behind, by content items', () => {
    expect(describeDrift('live', drift, nameOf)).toBe('Staging is 5 content items ahead');
    expect(describeDrift('staging', drift, nameOf)).toBe('5 content items ahead of Live');
    expect(describeDrift('live', { ...drift, changed: 0 }, nameOf)).toBe('Same as Staging');
  });

  it('are compared on the sync screen of the one that changes, and only conflicts are hotfixes', () => {
    expect(syncPath(drift)).toBe('/env/live/sync?from=staging');
    expect(hotfixesOf({ drift: [drift] }).map(({ id }) => id)).toEqual(['ads']);
  });
});
