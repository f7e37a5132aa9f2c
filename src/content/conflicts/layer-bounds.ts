/** What layer and holdout ask of a player, as bounds that conditions are compared by. */
import type { LayeredRule, Layers } from '../layers.js';
import { type Bounds, both, everyone } from './attribute-bounds.js';
import { type BoundTest, compileBound } from './bound-test.js';
import { bucketName } from './shared-players.js';

/** Alternatives, of which one holds for each player that they admit to the rule; none: they admit no player. */
export function boundsOfLayers(
  { layer: name, slice, holdout }: LayeredRule,
  layers: Layers,
): readonly Bounds[] {
  const notHeldOut = holdout ? boundsOfHoldout(layers) : everyone;
  if (name === null) return notHeldOut;
  const layer = layers.layers.find((one) => one.name === name);
  if (layer === undefined || slice === null) return [];
  const [from, to] = slice;
  const bucket = bucketName(layer.salt);
  const inSlice = new Map([
    ['@u', tests('@u', { $ne: '' })],
    [bucket, tests(bucket, { $gte: from }, { $lte: to })],
  ]);
  return both([inSlice], notHeldOut);
}

function boundsOfHoldout({ holdout }: Layers): readonly Bounds[] {
  if (holdout === null) return everyone;
  const [from, to] = holdout.groups;
  const bucket = bucketName(holdout.salt);
  const held = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const outside = new Map([[bucket, tests(bucket, { $nin: held })]]);
  // A caller without a user id is in bucket 0, and is not held out.
  return from === 0 ? [outside, new Map([['@u', tests('@u', { $eq: '' })]])] : [outside];
}

function tests(name: string, ...operands: readonly object[]): readonly BoundTest[] {
  return operands.map((operand) => compileBound(name, operand)).filter((test) => test !== null);
}
