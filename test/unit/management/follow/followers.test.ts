/** Servers that follow one, by a clock that the test moves. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Followers, type FollowersParts } from '../../../../src/management/follow/followers.js';
import type { FollowerState } from '../../../../src/management/follow/wire.js';
import { nodeLiveMs } from '../../../../src/management/limits/fleet.js';

const place = { sequence: 1, mark: 'm1' };

function report(id: string): FollowerState {
  return {
    ...{ id, name: id, address: '', version: '1', upMs: 1, serving: 1, served: place, tree: place },
    ...{ live: 0, away: 0, names: [], run: 'first', said: 0 },
  };
}

const parts: FollowersParts = {
  ...{ served: () => place, positions: { has: ({ mark }) => mark === place.mark }, max: 200 },
  ...{ known: [], keep: () => undefined, log: pino({ level: 'silent' }), nowMs: () => 0 },
};

it('forgets those that are away longest where there are more than it takes', () => {
  let nowMs = 0;
  const followers = new Followers({ ...parts, max: 3, nowMs: () => nowMs });
  for (const id of ['a', 'b', 'c']) {
    expect(followers.take(report(id))).toBe(true);
    nowMs += 1;
  }
  nowMs += nodeLiveMs;
  for (const id of ['d', 'e']) expect(followers.take(report(id))).toBe(true);
  const nodes = followers.nodes('self').map(({ id, live }) => [id, live]);
  expect(nodes).toEqual([
    ['c', false],
    ['d', true],
    ['e', true],
  ]);
  expect(followers.below).toMatchObject({ live: 2, away: 1 });
});

describe('followers of before a restart', () => {
  const known = ['a', 'b'].map((id) => ({ id, name: id }));

  it('are waited for until they report or were silent as long as any other, and named', async () => {
    let nowMs = 0;
    const kept: string[][] = [];
    const followers = new Followers({
      ...{ ...parts, known, nowMs: () => nowMs },
      keep: (live) => kept.push(live.map(({ id }) => id)),
    });
    // A start may take long: nobody can report before the port is open.
    nowMs += 10 * nodeLiveMs;
    expect(followers.tree).toEqual({ sequence: 0, mark: '' });
    followers.opened();
    nowMs += nodeLiveMs - 1;
    expect(followers.take(report('a'))).toBe(true);
    expect(followers.tree).toEqual({ sequence: 0, mark: '' });
    expect(followers.below).toMatchObject({ live: 2, away: 0, names: ['b'] });
    const nodes = followers.nodes('self').map(({ id, live, sequence }) => [id, live, sequence]);
    expect(nodes).toEqual([
      ['a', true, 1],
      ['b', true, 0],
    ]);
    expect(kept).toEqual([]);
    nowMs += 1;
    expect(followers.tree).toEqual(place);
    expect(followers.below).toMatchObject({ live: 1, away: 1, names: ['b'] });
    expect(kept).toEqual([['a']]);
  });

  it('hold up nobody once all of them have reported', async () => {
    const followers = new Followers({ ...parts, known });
    followers.opened();
    let isSettled = false;
    const settled = followers.settled(1, nodeLiveMs).then(() => {
      isSettled = true;
    });
    followers.take(report('a'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    followers.take(report('b'));
    await settled;
    expect(followers.below.names).toEqual([]);
  });
});

it('says which are live when that changes, and not for a report', () => {
  let nowMs = 0;
  const kept: string[][] = [];
  const followers = new Followers({
    ...{ ...parts, nowMs: () => nowMs },
    keep: (live) => kept.push(live.map(({ name }) => name)),
  });
  for (const id of ['a', 'b', 'a', 'b']) followers.take(report(id));
  nowMs += nodeLiveMs;
  followers.take(report('b'));
  followers.take(report('b'));
  followers.leave(report('b'));
  expect(kept).toEqual([['a'], ['a', 'b'], [], ['b'], []]);
});

describe('servers below that are named', () => {
  it('are first those that are waited for, and last those that are away', () => {
    let nowMs = 0;
    const followers = new Followers({ ...parts, nowMs: () => nowMs });
    for (const id of ['away-1', 'away-2']) followers.take(report(id));
    nowMs += nodeLiveMs;
    followers.take({ ...report('there'), names: ['below-there-1', 'below-there-2'] });
    const behind = { served: { sequence: 1, mark: 'of another history' } };
    followers.take({ ...report('behind'), ...behind, names: ['below-behind'] });
    const named = ['behind', 'below-behind', 'below-there-1', 'below-there-2', 'away-1'];
    expect(followers.below.names).toEqual(named);
  });

  it('stand beside the follower that they are below, for as long as it reports', () => {
    let nowMs = 0;
    const followers = new Followers({ ...parts, nowMs: () => nowMs });
    followers.take(report('a'));
    followers.take({ ...report('b'), names: ['leaf-1'] });
    const below = () => followers.nodes('self').map(({ behindBelow }) => behindBelow);
    expect(below()).toEqual([undefined, ['leaf-1']]);
    nowMs += nodeLiveMs;
    expect(below()).toEqual([undefined, undefined]);
  });
});

describe('what a follower says', () => {
  const newer = { sequence: 2, mark: 'm2' };
  const both = { ...parts, served: () => newer, positions: { has: () => true } };

  it('is not replaced by what it said before, which came later', () => {
    const followers = new Followers(both);
    followers.take({ ...report('a'), tree: newer, said: 2 });
    expect(followers.take({ ...report('a'), said: 1 })).toBe(true);
    expect(followers.tree).toEqual(newer);
    // It has begun again, with what it had.
    followers.take({ ...report('a'), run: 'second', said: 0 });
    expect(followers.tree).toEqual(place);
  });

  it('does not bring it back after it has ended in order', () => {
    const followers = new Followers(both);
    followers.take(report('a'));
    followers.leave(report('a'));
    expect(followers.take({ ...report('a'), said: 3 })).toBe(true);
    expect(followers.below.live).toBe(0);
    followers.take({ ...report('a'), run: 'second' });
    expect(followers.below.live).toBe(1);
  });

  it('is waited for after it has ended in order, where servers below it go on', () => {
    let nowMs = 0;
    const followers = new Followers({ ...both, nowMs: () => nowMs });
    followers.take({ ...report('a'), live: 1 });
    followers.leave({ ...report('a'), live: 1 });
    expect(followers.tree).toEqual(place);
    nowMs += nodeLiveMs;
    expect(followers.tree).toEqual(newer);
  });
});
