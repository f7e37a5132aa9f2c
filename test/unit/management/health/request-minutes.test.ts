import { describe, expect, it } from 'vitest';
import { RequestMinutes } from '../../../../src/management/health/rejections/request-minutes.js';
import {
  type RejectedItem,
  type RejectionItem,
  type RequestReport,
  rejectionText,
} from '../../../../src/published/request-report.js';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

const missing: RejectionItem = {
  code: 'content_not_found',
  status: 404,
  environment: 'dev',
  keyHash: 'a1',
  content: 'shop',
};

function reportOf(more: Partial<RequestReport> = {}): RequestReport {
  const none = { items: [], offset: 0 };
  return { requests: [], rejected: [], keyed: none, unkeyed: none, ...more };
}

function itemsOf(item: RejectionItem, count: number, lastMs: number) {
  const items: RejectedItem[] = [[rejectionText(item), count, lastMs]];
  return { items, offset: 0 };
}

function clockAt(atMs: number) {
  const clock = { nowMs: atMs };
  return { clock, minutes: new RequestMinutes(() => clock.nowMs) };
}

describe('requests of the last hour', () => {
  it('of several processes and minutes are one sum, by environment', () => {
    const { clock, minutes } = clockAt(startMs);
    const report = reportOf({
      requests: [
        ['dev', 10],
        ['', 2],
      ],
      rejected: [
        ['dev', 'content_not_found', 404, 3],
        ['', 'invalid_api_key', 401, 2],
      ],
      keyed: itemsOf(missing, 3, startMs),
    });
    minutes.add(report);
    minutes.add(report);
    clock.nowMs += minuteMs;
    minutes.add(reportOf({ rejected: [['dev', 'internal', 500, 1]], requests: [['dev', 1]] }));
    expect(minutes.counts('dev', 60)).toEqual({ requests: 21, rejected: 7, failed: 1 });
    expect(minutes.counts(null, 60)).toEqual({ requests: 25, rejected: 11, failed: 1 });
    expect(minutes.reasons(60)).toEqual([{ ...missing, count: 6, lastMs: startMs }]);
  });

  it('are forgotten after an hour', () => {
    const { clock, minutes } = clockAt(startMs);
    minutes.add(reportOf({ requests: [['dev', 10]], keyed: itemsOf(missing, 3, startMs) }));
    clock.nowMs += 60 * minuteMs;
    expect(minutes.counts('dev', 60).requests).toBe(10);
    clock.nowMs += minuteMs;
    expect(minutes.counts('dev', 60).requests).toBe(0);
    expect(minutes.reasons(60)).toEqual([]);
    expect(minutes.fromMs).toBe(clock.nowMs - 60 * minuteMs);
  });

  it('go on when the clock is set back', () => {
    const { clock, minutes } = clockAt(startMs);
    minutes.add(reportOf({ requests: [['dev', 1]] }));
    clock.nowMs -= 10 * minuteMs;
    minutes.add(reportOf({ requests: [['dev', 1]] }));
    expect(minutes.counts('dev', 10).requests).toBe(2);
  });

  it('keep ids as clients spelled them, line breaks included', () => {
    const { minutes } = clockAt(startMs);
    const hostile = { ...missing, content: 'a\nb\n404\u2028' };
    minutes.add(reportOf({ keyed: itemsOf(hostile, 1, startMs) }));
    expect(minutes.reasons(60)).toEqual([{ ...hostile, count: 1, lastMs: startMs }]);
  });

  it('keep a bounded number of reasons, however many clients make up', () => {
    const { clock, minutes } = clockAt(startMs);
    for (let minute = 0; minute < 70; minute += 1) {
      for (let batch = 0; batch < 4; batch += 1) {
        const items = Array.from({ length: 256 }, (_, at): RejectedItem => {
          const content = `made-up-${minute}-${batch}-${at}`;
          return [rejectionText({ ...missing, content }), 1, clock.nowMs];
        });
        minutes.add(reportOf({ keyed: { items, offset: 0 }, unkeyed: { items, offset: 0 } }));
      }
      clock.nowMs += minuteMs;
    }
    expect(minutes.reasons(60).length).toBeLessThanOrEqual(61 * (256 + 64));
  });
});
