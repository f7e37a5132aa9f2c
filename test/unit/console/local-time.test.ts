/** Instants in an input of a local date and time. */
import { describe, expect, it } from 'vitest';
import { fromLocal, toLocal } from '../../../src/console/parts/time/local-time.js';

describe('an instant in local time', () => {
  it.each(['2026-11-01T00:00:00Z', '2026-03-29T00:59:59Z', '0099-01-01T12:00:00Z'])(
    'comes back as %s',
    (instant) => {
      expect(fromLocal(toLocal(instant) ?? '')).toBe(instant);
    },
  );

  it('shows seconds only where there are some', () => {
    expect(toLocal('2026-11-01T00:00:00Z')).toMatch(/^2026-1\d-\d\dT\d\d:\d\d$/);
    expect(toLocal('2026-11-01T00:00:05.5Z')).toMatch(/T\d\d:\d\d:05$/);
  });

  it('is absent for what is no instant and no complete local time', () => {
    expect(toLocal('2026-11-01')).toBeNull();
    expect(fromLocal('')).toBeNull();
  });
});
