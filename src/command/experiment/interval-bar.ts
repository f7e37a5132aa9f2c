/** An interval as a bar of text, as wide as its scale: `..---o-|....`. Pure. */

import { type EffectScale, placeInterval } from '../../contract/results/effect-scale.js';
import { formatEffect } from '../../contract/results/effect-words.js';
import type { Comparison } from '../../contract/schemas/experiment-results.js';

/** Odd, so that zero has a place of its own. */
const width = 31;
const last = width - 1;

/** Its ends and its middle: `-10 %          0          +10 %`, as wide as the bars. */
export function formatAxis({ limit }: EffectScale): string {
  const [left, right] = [formatEffect(-limit), formatEffect(limit)];
  const half = last / 2;
  return `${left.padEnd(half)}0${right.padStart(half)}`;
}

/** `-` where the effect may lie, `o` the best guess, `|` no change; `<` and `>` where it goes on beyond the scale. */
export function formatBar(
  scale: EffectScale,
  comparison: Pick<Comparison, 'interval' | 'effect'>,
): string {
  const cells: string[] = new Array(width).fill('.');
  cells[last / 2] = '|';
  const placed = placeInterval(scale, comparison);
  if (placed === null) return cells.join('');
  const place = (percent: number): number => Math.round((percent / 100) * last);
  const [from, to] = [place(placed.from), place(placed.to)];
  for (let at = from; at <= to; at += 1) if (cells[at] === '.') cells[at] = '-';
  if (placed.isOpenLeft) cells[0] = '<';
  if (placed.isOpenRight) cells[last] = '>';
  if (placed.effect !== null) cells[place(placed.effect)] = 'o';
  return cells.join('');
}
