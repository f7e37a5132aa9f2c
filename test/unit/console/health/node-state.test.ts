/** The words for how a node is. */
import { describe, expect, it } from 'vitest';
import { awayWords, stateOf } from '../../../../src/console/health/node-state.js';

describe('the state of a node', () => {
  it('is away before all else, and never told by a colour only', () => {
    expect(stateOf({ live: false, serving: 2, lag: 5 })).toEqual({ words: 'away', tone: 'bad' });
    const idle = { live: true, serving: 0, lag: 0 };
    expect(stateOf(idle)).toEqual({ words: 'serves nobody', tone: 'bad' });
    const behind = { live: true, serving: 2, lag: 5 };
    expect(stateOf(behind)).toEqual({ words: '5 behind', tone: 'plain' });
    const there = { live: true, serving: 2, lag: 0 };
    expect(stateOf(there)).toEqual({ words: 'up to date', tone: 'good' });
  });
});

describe('nodes that are away', () => {
  it('are named, one or several', () => {
    const a = { name: 'paris-1', live: true };
    const b = { name: 'paris-2', live: false };
    const c = { name: 'tokyo-1', live: false };
    expect(awayWords([])).toBeNull();
    expect(awayWords([a])).toBeNull();
    expect(awayWords([a, b])).toMatch(/^paris-2 has not been seen/);
    expect(awayWords([a, b, c])).toMatch(/^paris-2 and tokyo-1 have not been seen/);
  });
});
