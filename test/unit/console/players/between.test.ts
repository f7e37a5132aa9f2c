/** Goal: what changed between two moments is named, and nothing else. */
import { describe, expect, it } from 'vitest';
import { changesBetween, describeBetween } from '../../../../src/console/players/between.js';
import { pairItems } from '../../../../src/contract/players/pair-items.js';
import type { PlayerItem } from '../../../../src/contract/schemas/players/player-item.js';

const given: PlayerItem = {
  ...{ id: 'shop', outcome: 'delivered', detail: null, revision: 4, line: '0.0.0', hash: 'a' },
  ...{ release: null, segments: [{ name: 'vip', revision: 1 }], bytes: 9, digest: 'd1' },
  variants: [{ rule: 0, segment: 'price', variant: 'a', experiment: null }],
  ...{ rules: null, answer: null },
};
const words = (second: Partial<PlayerItem>): string[] =>
  changesBetween(given, { ...given, ...second }).map(describeBetween);

describe('between two moments', () => {
  it('nothing changed', () => expect(words({ digest: 'd2', bytes: 3 })).toEqual([]));

  it('each source is named that changed', () => {
    expect(
      words({
        ...{ revision: 5, line: '2.0.0', release: 7, segments: [{ name: 'eu', revision: 2 }] },
        variants: [{ rule: 0, segment: 'price', variant: null, experiment: null }],
      }),
    ).toEqual([
      'revision r4 → r5',
      'version line 0.0.0 → 2.0.0',
      'release none → #7',
      'segment vip r1 → none',
      'segment eu none → r2',
      'rule price a → applied',
    ]);
    expect(words({ outcome: 'not_delivered', variants: [] })).toEqual([
      'outcome delivered → not found (404)',
      'rule price a → did not apply',
    ]);
  });
});

describe('pairs', () => {
  it('are the same by outcome and digest; what is not known never is', () => {
    const unknown: PlayerItem = { ...given, outcome: 'not_known', digest: null };
    const isSame = (first: PlayerItem, second: PlayerItem) =>
      pairItems([first], [second]).map((pair) => pair.isSame);
    expect(isSame(given, { ...given, revision: 9 })).toEqual([true]);
    expect(isSame(given, { ...given, digest: 'd2' })).toEqual([false]);
    expect(isSame(unknown, unknown)).toEqual([false]);
  });
});
