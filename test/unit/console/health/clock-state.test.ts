/** What the Health screen says of the clock: the figure, and a warning where the server warns. */
import { describe, expect, it } from 'vitest';
import { clockState } from '../../../../src/console/health/clock-state.js';

describe('the clock', () => {
  it('is a warning where the server says that it is skewed, whatever the figure', () => {
    expect(clockState(1.4, false)).toEqual({
      value: '1.4 s ahead',
      hint: 'compared with the database',
      isSkewed: false,
    });
    expect(clockState(-4.2, true)).toEqual({
      value: '4.2 s behind',
      hint: 'windows open at another time here: check NTP',
      isSkewed: true,
    });
    expect(clockState(-0.012, false)).toMatchObject({ value: '12 ms behind', isSkewed: false });
  });

  it('is in step where no millisecond differs, and not known where it is not compared', () => {
    expect(clockState(0.0004, false)).toMatchObject({ value: 'In step', isSkewed: false });
    expect(clockState(null, false)).toMatchObject({ value: '–', isSkewed: false });
  });
});
