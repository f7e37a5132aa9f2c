/** Checks the layers that rules name against those of the environment. */
import type { Layers } from '../../../content/layers.js';
import type { Rule } from '../../../content/mapping/mapping.js';
import type { ValidationIssue } from '../../../contract/problems.js';

/** A rule that is in a layer. */
export interface SaltedUse {
  /** Its place in the mapping, from 0. */
  readonly rule: number;
  readonly layer: string;
  /** The rule's own. */
  readonly salt: string | null;
}

export function saltedUsesOf(rules: readonly Rule[]): SaltedUse[] {
  return rules.flatMap(({ layer, salt }, rule) => (layer === null ? [] : [{ rule, layer, salt }]));
}

/** Why the rules cannot be saved in an environment with these layers. */
export function layerIssues(
  uses: readonly SaltedUse[],
  { layers }: Layers,
): readonly ValidationIssue[] {
  const salts = new Map(layers.map(({ name, salt }) => [name, salt]));
  return uses.flatMap(({ rule, layer, salt }) => {
    if (!salts.has(layer)) {
      const message = `"${layer}" is no layer of the environment: add it to its layers first`;
      return [{ path: `mapping[${rule}].layer`, message }];
    }
    if (salts.get(layer) !== salt) return [];
    const message = 'is the salt of its layer: only some variants would have a bucket in the slice';
    return [{ path: `mapping[${rule}].salt`, message }];
  });
}
