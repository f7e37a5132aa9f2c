/**
 * Layers and the holdout: which callers may be in a rule before its condition is asked (D94). A layer's salt assigns a bucket to each
 * caller, and a rule of the layer takes a slice of the buckets; the rule's own salt then assigns its variants. Pure.
 */

import type { BucketRange } from './bucket.js';
import type { Condition } from './condition/condition.js';
import type { EvaluationContext } from './evaluation-context.js';
import { layerWork } from './evaluation-work.js';
import type { Rule } from './mapping/rule.js';

export interface Layer {
  readonly name: string;
  /** Assigns a caller's bucket in the layer. */
  readonly salt: string;
}

/** Callers that take part in no rule that has `holdout`. */
export interface Holdout {
  readonly salt: string;
  /** Callers whose bucket under the salt is in it are held out. */
  readonly groups: BucketRange;
}

/** Those of an environment. */
export interface Layers {
  readonly layers: readonly Layer[];
  /** Null: no caller is held out. */
  readonly holdout: Holdout | null;
}

export const noLayers: Layers = { layers: [], holdout: null };

/** What differs between the layers of an environment at two times. */
export interface LayersChange {
  /** Names of those that are new, gone, or assign other buckets. */
  readonly layers: ReadonlySet<string>;
  readonly holdout: boolean;
}

export function changeOfLayers(before: Layers, after: Layers): LayersChange {
  const salts = new Map(before.layers.map(({ name, salt }) => [name, salt]));
  const layers = new Set<string>();
  for (const { name, salt } of after.layers) {
    if (salts.get(name) !== salt) layers.add(name);
    salts.delete(name);
  }
  for (const name of salts.keys()) layers.add(name);
  return { layers, holdout: !isSameHoldout(before.holdout, after.holdout) };
}

function isSameHoldout(a: Holdout | null, b: Holdout | null): boolean {
  if (a === null || b === null) return a === b;
  return a.salt === b.salt && a.groups[0] === b.groups[0] && a.groups[1] === b.groups[1];
}

/** The members of a rule that decide here. */
export type LayeredRule = Pick<Rule, 'layer' | 'slice' | 'holdout'>;

/** Why a caller may not be in a rule, or `admitted`. */
export type Admission =
  | 'admitted'
  /** The environment has no layer of that name, so the rule never applies. */
  | 'layer_missing'
  /** A caller without a user id is in no layer. */
  | 'no_user_id'
  | 'outside_slice'
  | 'held_out';

/** Whether the caller may be in the rule, as far as layer and holdout decide. */
export function admissionTo(
  { layer: name, slice, holdout }: LayeredRule,
  { layers, holdout: heldOut }: Layers,
  caller: EvaluationContext,
): Admission {
  if (name !== null) {
    const layer = layers.find((one) => one.name === name);
    if (layer === undefined) return 'layer_missing';
    if (caller.u === '') return 'no_user_id';
    if (!isWithin(slice, caller.bucketUnder(layer.salt))) return 'outside_slice';
  }
  const isHeldOut = holdout && heldOut !== null && caller.u !== '';
  return isHeldOut && isWithin(heldOut.groups, caller.bucketUnder(heldOut.salt))
    ? 'held_out'
    : 'admitted';
}

/**
 * The condition of a rule behind its layer and the holdout; the condition itself where they admit every caller, so that a rule
 * without them costs nothing more. The buckets come first: each is computed once for a request, and most callers are outside a slice.
 */
export function behindLayers(rule: LayeredRule, layers: Layers, condition: Condition): Condition {
  const heldOut = rule.holdout ? layers.holdout : null;
  if (rule.layer === null) {
    return heldOut === null ? condition : (caller) => !isHeld(caller, heldOut) && condition(caller);
  }
  const layer = layers.layers.find(({ name }) => name === rule.layer);
  if (layer === undefined || rule.slice === null) return never;
  const { salt } = layer;
  const [from, to] = rule.slice;
  return (caller) => {
    if (caller.u === '') return false;
    caller.workLeft -= layerWork;
    const bucket = caller.bucketUnder(salt);
    if (bucket < from || to < bucket) return false;
    return (heldOut === null || !isHeld(caller, heldOut)) && condition(caller);
  };
}

const never: Condition = () => false;

function isHeld(caller: EvaluationContext, { salt, groups }: Holdout): boolean {
  if (caller.u === '') return false;
  caller.workLeft -= layerWork;
  return isWithin(groups, caller.bucketUnder(salt));
}

function isWithin(range: BucketRange | null, bucket: number): boolean {
  return range !== null && range[0] <= bucket && bucket <= range[1];
}
