/** What the charts show of one sample of the figures after another, and of what the server keeps. */
import { describe, expect, it } from 'vitest';
import {
  emptyHistory,
  type History,
  isPoint,
  latestPoint,
  momentsIn,
  pointsMax,
  timeRange,
  withGap,
  withKept,
  withSample,
} from '../../../../src/console/health/charts/metrics-history.js';
import { pointBetween } from '../../../../src/contract/health/history-point.js';
import { sample } from '../../../support/health-sample.js';

describe('the history', () => {
  const grown = (count: number, from: History = emptyHistory): History => {
    let history = from;
    for (let at = 0; at < count; at += 1) {
      history = withSample(history, sample(at * 2, [{ requests: at * 10 }]));
    }
    return history;
  };

  it('has a point from the second sample on', () => {
    expect(grown(1).moments).toHaveLength(0);
    expect(latestPoint(grown(2))).toMatchObject({ requests: 10, seconds: 2 });
  });

  it('keeps the last ten minutes', () => {
    const { moments } = grown(pointsMax + 50);
    expect(moments).toHaveLength(pointsMax);
    expect(moments.at(-1)?.atMs).toBe((pointsMax + 49) * 2000);
  });

  it('shows a gap while the server is away, and starts again after it', () => {
    const away = withGap(grown(3), 6_000);
    expect(latestPoint(away)).toBeNull();
    const back = withSample(away, sample(8, [{ requests: 900 }]));
    expect(latestPoint(back)).toBeNull();
    const on = withSample(back, sample(10, [{ requests: 920 }]));
    expect(latestPoint(on)).toMatchObject({ requests: 20, seconds: 2 });
    expect(on.moments.map(isPoint)).toEqual([true, true, false, true]);
  });

  it('shows a gap for a time without samples', () => {
    const history = withSample(grown(3), sample(600, [{ requests: 5000 }]));
    expect(latestPoint(history)).toBeNull();
  });

  it('counts the restarts of a process', () => {
    let history = grown(2);
    history = withSample(history, sample(4, [{ startedAt: 104 }]));
    history = withGap(history, 6_000);
    history = withSample(history, sample(8, [{ startedAt: 108 }]));
    expect(history.restarts.get(0)).toBe(2);
  });
});

describe('what the server keeps', () => {
  /** Points ten seconds apart that end then. */
  const keptAt = (...seconds: readonly number[]) =>
    seconds.map((at) => pointBetween(sample(at - 10, [{}]), sample(at, [{ requests: 10 }])));
  const timesIn = (history: History, span: '10 min' | '1 h', nowSeconds: number) =>
    momentsIn(history, span, nowSeconds * 1_000).map((moment) =>
      isPoint(moment) ? moment.atMs / 1_000 : 'gap',
    );

  it('fills the ten minutes before the page was opened', () => {
    let history = withKept(emptyHistory, keptAt(4_000, 4_990, 5_000, 5_010));
    history = withSample(withSample(history, sample(5_006, [{}])), sample(5_008, [{}]));
    expect(timesIn(history, '10 min', 5_010)).toEqual([4_990, 5_000, 5_008]);
  });

  it('is all that an hour shows, once there is some', () => {
    const watched = withSample(withSample(emptyHistory, sample(5_006, [{}])), sample(5_008, [{}]));
    expect(timesIn(watched, '1 h', 5_010)).toEqual([5_008]);
    const history = withKept(watched, keptAt(1_000, 4_990, 5_000));
    expect(timesIn(history, '1 h', 5_010)).toEqual([4_990, 5_000]);
  });

  it('has a gap where the server has no points', () => {
    const history = withKept(emptyHistory, keptAt(4_700, 4_710, 4_900));
    expect(timesIn(history, '1 h', 5_000)).toEqual([4_700, 4_710, 'gap', 4_900]);
  });

  it('is added to what is known of it, each point once', () => {
    const history = withKept(withKept(emptyHistory, keptAt(10, 20)), keptAt(20, 30));
    expect(history.kept.map(({ atMs }) => atMs)).toEqual([10_000, 20_000, 30_000]);
    expect(withKept(history, [])).toBe(history);
  });
});

describe('the time of a chart', () => {
  it('ends now before the first sample, and never begins in 1970', () => {
    expect(timeRange('10 min', [], 1_700_000_000)).toEqual([1_699_999_400, 1_700_000_000]);
  });

  it('is the whole span up to the last moment', () => {
    expect(timeRange('10 min', [5_000, 5_002], 9_000)).toEqual([4_402, 5_002]);
    expect(timeRange('1 h', [5_000], 9_000)).toEqual([1_400, 5_000]);
  });
});
