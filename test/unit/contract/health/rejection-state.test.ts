import { describe, expect, it } from 'vitest';
import { rejectionState } from '../../../../src/contract/health/rejection-state.js';

const state = (requests: number, rejected: number, failed = 0) =>
  rejectionState({ requests, rejected, failed });

describe('the state of rejected requests', () => {
  it('is attention from one in twenty on, and failing from every second', () => {
    expect(state(1_000, 49)).toBe('healthy');
    expect(state(1_000, 50)).toBe('attention');
    expect(state(1_000, 170)).toBe('attention');
    expect(state(1_000, 499)).toBe('attention');
    expect(state(1_000, 500)).toBe('failing');
  });

  it("alarms sooner at the server's own failures", () => {
    expect(state(1_000, 9, 9)).toBe('healthy');
    expect(state(1_000, 10, 10)).toBe('attention');
    expect(state(1_000, 50, 50)).toBe('failing');
  });

  it('says nothing of a handful', () => {
    expect(state(19, 19)).toBe('healthy');
    expect(state(20, 20)).toBe('failing');
    expect(state(0, 0)).toBe('healthy');
  });
});
