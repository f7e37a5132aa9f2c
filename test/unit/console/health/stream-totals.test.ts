/** What the Health screen says of streams. */
import { describe, expect, it } from 'vitest';
import { streamTotals } from '../../../../src/console/health/stream-totals.js';
import type { HealthFigures } from '../../../../src/contract/operations/health.js';

type Streams = HealthFigures['deliveryProcesses'][number]['streams'];

function totals(...processes: readonly Partial<Streams>[]) {
  const none = { open: 0, openMax: 100, waiting: 0, events: 0, ended: {} };
  return streamTotals(processes.map((streams) => ({ streams: { ...none, ...streams } })));
}

describe('the streams of all delivery processes', () => {
  it('are added up, with the reasons of their ends by frequency', () => {
    expect(
      totals(
        { open: 2, waiting: 1, events: 7, ended: { client: 1, key: 0, draining: 4 } },
        { open: 3, events: 1, ended: { client: 2, key: 0, draining: 0 } },
      ),
    ).toEqual({
      ...{ open: 5, openMax: 200, waiting: 1, events: 8 },
      ended: [
        { reason: 'draining', count: 4 },
        { reason: 'client', count: 3 },
      ],
      isNearlyFull: false,
    });
  });

  it('are nearly all that there can be above nine in ten of one process', () => {
    expect(totals({ open: 90 }, { open: 90 }).isNearlyFull).toBe(false);
    expect(totals({ open: 91 }, { open: 0 }).isNearlyFull).toBe(true);
  });
});
