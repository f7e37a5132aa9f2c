/** Which of the environment's layers and holdout a mapping uses: what its hash covers beside its own text (D94). */

import type { BucketRange } from '../bucket.js';
import type { Layers, LayersChange } from '../layers.js';

/** A rule behind a layer, the holdout or both. */
export interface LayerUse {
  /** Its place in the mapping, from 0. */
  readonly rule: number;
  readonly segment: string;
  readonly layer: string | null;
  readonly slice: BucketRange | null;
  readonly holdout: boolean;
}

/** In every text that uses any of them, and in few others: the name of a member, or an escape that could hide it. */
const perhaps = /layer|holdout|\\u/;

/** @param json a mapping that is valid, without comments */
export function layerUsesOf(json: Uint8Array): readonly LayerUse[] {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (!perhaps.test(text.toString('latin1'))) return [];
  const rules = JSON.parse(text.toString()) as WrittenRule[];
  return rules.flatMap(({ segment, layer = null, slice = null, holdout = layer !== null }, rule) =>
    layer === null && !holdout ? [] : [{ rule, segment, layer, slice, holdout }],
  );
}

/** What a rule says of it. */
interface WrittenRule {
  readonly segment: string;
  readonly layer?: string;
  readonly slice?: BucketRange;
  readonly holdout?: boolean;
}

/**
 * The definitions that decide in a mapping, layers by name. One that the environment does not have is left out.
 * @param json a mapping that is valid, without comments
 */
export function layersUsed(json: Uint8Array, { layers, holdout }: Layers): Layers {
  const uses = layerUsesOf(json);
  const names = new Set(uses.map(({ layer }) => layer));
  return {
    layers: layers
      .filter(({ name }) => names.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    holdout: uses.some((use) => use.holdout) ? holdout : null,
  };
}

/** Whether the rule is behind a definition that differs. */
export function usesChange(
  { layer, holdout }: Pick<LayerUse, 'layer' | 'holdout'>,
  change: LayersChange,
): boolean {
  return (layer !== null && change.layers.has(layer)) || (holdout && change.holdout);
}
