/** Layers and the holdout as people edit them. Pure, but for random salts. */
import type { EnvironmentLayers, LayersInput } from '../../contract/schemas/experiments/layers.js';

export interface LayerRow {
  /** Distinguishes the rows of a form. */
  readonly key: string;
  readonly name: string;
  /** '': a random one. */
  readonly salt: string;
  /** Rules may name it. */
  readonly isSaved: boolean;
}

const bucketCount = 1000;
const bucketsPerPercent = 10;
const saltBytes = 10;

export function rowsOf({ layers }: Pick<EnvironmentLayers, 'layers'>): readonly LayerRow[] {
  return layers.map(({ name, salt }) => ({ key: name, name, salt, isSaved: true }));
}

export function emptyRow(): LayerRow {
  return { key: randomSalt(), name: '', salt: '', isSaved: false };
}

/** Percent of the players that are held out, 0 for none. */
export function shareOf({ holdout }: Pick<EnvironmentLayers, 'holdout'>): number {
  return holdout === null ? 0 : (holdout.groups[1] - holdout.groups[0] + 1) / bucketsPerPercent;
}

/** A holdout of another size keeps its first bucket where there is room, so that its players stay in it. */
export function inputOf(
  rows: readonly LayerRow[],
  percent: number,
  { holdout }: Pick<EnvironmentLayers, 'holdout'>,
): Pick<LayersInput, 'layers' | 'holdout'> {
  const count = Math.min(bucketCount, Math.max(0, Math.round(percent * bucketsPerPercent)));
  const from = Math.min(holdout?.groups[0] ?? 0, bucketCount - count);
  return {
    layers: rows.map(({ name, salt }) => (salt === '' ? { name } : { name, salt })),
    holdout:
      count === 0
        ? null
        : { ...(holdout && { salt: holdout.salt }), groups: [from, from + count - 1] },
  };
}

export function randomSalt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(saltBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
