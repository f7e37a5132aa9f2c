/** How the state of a node is described. */
import { describe, expect, it } from 'vitest';
import { describeAway, describeBelow, stateOf } from '../../../../src/console/health/node-state.js';

describe('the state of a node', () => {
  it('is away before all else, and never shown by colour only', () => {
    expect(stateOf({ live: false, serving: 2, lag: 5 })).toEqual({ label: 'away', tone: 'bad' });
    const idle = { live: true, serving: 0, lag: 0 };
    expect(stateOf(idle)).toEqual({ label: 'not serving', tone: 'bad' });
    const behind = { live: true, serving: 2, lag: 5 };
    expect(stateOf(behind)).toEqual({ label: '5 behind', tone: 'plain' });
    const there = { live: true, serving: 2, lag: 0 };
    expect(stateOf(there)).toEqual({ label: 'up to date', tone: 'good' });
  });
});

describe('nodes that are away', () => {
  it('are named, one or several', () => {
    const a = { name: 'paris-1', live: true };
    const b = { name: 'paris-2', live: false };
    const c = { name: 'tokyo-1', live: false };
    expect(describeAway([])).toBeNull();
    expect(describeAway([a])).toBeNull();
    expect(describeAway([a, b])).toMatch(/^paris-2 has not been seen/);
    expect(describeAway([a, b, c])).toMatch(/^paris-2 and tokyo-1 have not been seen/);
  });
});

describe('servers below a node', () => {
  it('are named where some are away or behind', () => {
    expect(describeBelow({})).toBeNull();
    expect(describeBelow({ behindBelow: ['leaf-1'] })).toBe(
      'Servers below it that are away or behind: leaf-1',
    );
    expect(describeBelow({ behindBelow: ['leaf-1', 'leaf-2'] })).toMatch(/: leaf-1 and leaf-2$/);
  });
});
