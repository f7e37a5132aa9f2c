/** Servers that follow one, by a clock that the test moves. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { Followers } from '../../../../src/management/follow/followers.js';
import type { FollowerReport } from '../../../../src/management/follow/wire.js';
import { nodeLiveMs } from '../../../../src/management/limits/fleet.js';

const place = { sequence: 1, mark: 'm1' };

function report(id: string): FollowerReport {
  return {
    ...{ id, name: id, address: '', version: '1', upMs: 1, serving: 1, served: place, tree: place },
    ...{ live: 0, away: 0, names: [], leaves: false },
    relayed: { used: [], traffic: [], receipts: [], assigned: [], requests: [] },
  };
}

it('forgets those that are away longest where there are more than it takes', () => {
  let nowMs = 0;
  const followers = new Followers({
    ...{ served: () => place, positions: { has: () => true }, max: 3 },
    ...{ log: pino({ level: 'silent' }), nowMs: () => nowMs },
  });
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
