/** Reads how a rule shares players with others: `layer`, `slice`, `salt` and `holdout`. */

import type { LayeredRule } from '../layers.js';
import { readBuckets } from './mapping-buckets.js';
import { nameLengthMax, saltLengthMax } from './mapping-limits.js';
import type { MappingObject } from './mapping-object.js';
import type { Rule } from './rule.js';

/** After an issue it is only a stand-in. */
export function readLayer(rule: MappingObject): LayeredRule & Pick<Rule, 'salt'> {
  const salt = readSalt(rule);
  const layer = rule.member('layer') === null ? null : rule.name('layer', nameLengthMax);
  const member = rule.member('slice');
  const slice = member === null ? null : readBuckets(member);
  if (layer === null && member !== null)
    member.reject('stands without a layer: it is a slice of one');
  if (layer !== null && member === null)
    rule.value.reject('is missing: a rule of a layer has one', '.slice');
  if (layer !== null && salt === null) {
    rule.value.reject(
      'is missing: a rule of a layer assigns its variants with a salt of its own',
      '.salt',
    );
  }
  return { salt, layer, slice, holdout: rule.flag('holdout') ?? layer !== null };
}

function readSalt(rule: MappingObject): string | null {
  const member = rule.member('salt');
  if (member === null || member.parse() === null) return null;
  return rule.text('salt', saltLengthMax);
}
