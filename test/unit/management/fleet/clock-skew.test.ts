/** Whether a server's clock is off, as its log and the Health screen say: only what no error of the comparison explains. */
import { describe, expect, it } from 'vitest';
import { ClockSkew } from '../../../../src/management/fleet/clock-skew.js';

function startComparing() {
  const events: string[] = [];
  const log = (entry: { readonly event: string }) => events.push(entry.event);
  const clock = new ClockSkew({ info: log, warn: log } as unknown as ConstructorParameters<
    typeof ClockSkew
  >[0]);
  return { clock, events };
}

describe("a server's clock beside the store's", () => {
  it('is skewed beyond a second and the error of the comparison, in either direction', () => {
    const { clock, events } = startComparing();
    clock.compare(0, 1_000, 2_000);
    expect(clock).toMatchObject({ aheadMs: 1_500, isSkewed: false });
    expect(events).toEqual([]);
    clock.compare(0, 1_001, 2_001);
    expect(clock).toMatchObject({ aheadMs: 1_501, isSkewed: true });
    clock.compare(1_501, 0, 0);
    expect(clock).toMatchObject({ aheadMs: -1_501, isSkewed: true });
    expect(events).toEqual(['clock_skew']);
    clock.compare(0, 0, 0);
    expect(clock.isSkewed).toBe(false);
    expect(events).toEqual(['clock_skew', 'clock_in_step']);
  });
});
