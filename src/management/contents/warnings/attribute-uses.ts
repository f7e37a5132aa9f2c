/** Which attributes of users a condition reads: the names that a game sends, each with its first place. */
import { attributeTests } from '../../../content/condition/attribute-tests.js';

/** Plain data: it travels from workers. */
export interface AttributeUse {
  /** The name that the game sends: of `player.level` it is `player`. */
  readonly attribute: string;
  /** Where it is read first: `when.$and[1].player.level`. */
  readonly path: string;
}

/** Attributes of one state or condition that are looked at: people name a few dozen. */
const usesMax = 500;

/**
 * @param condition one that compiles, as `JSON.parse` gave it
 * @param path where it stands: `when`, `mapping[0].when`
 */
export function attributeUses(condition: unknown, path: string): AttributeUse[] {
  const uses = attributeTests(condition, path).flatMap(({ attribute, path: at }) =>
    attribute === null ? [] : [{ attribute, path: at }],
  );
  return mergeUses([uses]);
}

/** Each attribute once, where it is read first. */
export function mergeUses(lists: readonly (readonly AttributeUse[])[]): AttributeUse[] {
  const first = new Map<string, AttributeUse>();
  for (const uses of lists) {
    for (const use of uses) {
      if (first.size >= usesMax) return [...first.values()];
      if (!first.has(use.attribute)) first.set(use.attribute, use);
    }
  }
  return [...first.values()];
}
