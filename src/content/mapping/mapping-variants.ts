/** Reads the variants of an A/B test: their names, and the buckets that each of them takes. */

import { type BucketRange, bucketCount } from '../bucket.js';
import { readBuckets } from './mapping-buckets.js';
import { infoLengthMax, nameLengthMax, ruleVariantsMax } from './mapping-limits.js';
import { readMutation } from './mapping-mutation.js';
import { MappingObject, type MappingValue } from './mapping-object.js';
import type { Variant } from './rule.js';

/** The variants in the order they are written; no two share a name or a bucket. */
export function readVariants(value: MappingValue): Variant[] {
  const elements = value.elements(ruleVariantsMax);
  if (elements === null) return [];
  if (elements.length === 0) value.reject('must have at least one variant');
  const variants: Variant[] = [];
  const names = new Set<string>();
  const owners: (string | undefined)[] = new Array(bucketCount);
  for (const element of elements) {
    const object = MappingObject.read(element);
    if (object === null) continue;
    const name = object.name('name', nameLengthMax);
    if (name !== '' && names.has(name)) element.reject('is the name of another variant', '.name');
    names.add(name);
    const [from, to] = readGroups(object);
    claimGroups(owners, from, to, name, element);
    const info = object.text('info', infoLengthMax);
    variants.push({ name, from, to, info, mutation: readMutation(object) });
    object.rejectOthers();
  }
  return variants;
}

/** An empty range, [0, -1], after an issue. */
function readGroups(variant: MappingObject): BucketRange {
  const member = variant.member('groups');
  if (member === null) {
    variant.value.reject('is missing', '.groups');
    return noGroups;
  }
  return readBuckets(member) ?? noGroups;
}

const noGroups = [0, -1] as const;

function claimGroups(
  owners: (string | undefined)[],
  from: number,
  to: number,
  name: string,
  variant: MappingValue,
): void {
  for (let bucket = from; bucket <= to; bucket++) {
    const owner = owners[bucket];
    if (owner !== undefined) {
      variant.reject(`overlaps the groups of '${owner}' at ${bucket}`, '.groups');
      return;
    }
    owners[bucket] = name;
  }
}
