/** What a target, rule or default rule of a flag gives: one variation, or shares of the players different ones. */

import { saltLengthMax } from '../../../content/mapping/mapping-limits.js';
import type { ReportBuilder } from '../conversion-report.js';
import type { Served } from '../flags/flag-content.js';
import { NotCarried } from '../not-carried.js';
import { checkMembers, type JsonObject, objectIn, objectsIn } from '../source.js';
import type { LaunchDarklyFlag } from './read-export.js';
import { rolloutMembers, weightedMembers } from './schema.js';
import { readAttribute, weightOfAll } from './segments.js';

export interface Serving {
  readonly served: Served;
  /** Index of the variation; null: a rollout decides. */
  readonly variation: number | null;
}

const sharesDiffer = 'the same shares of players, but others: the hash is another';

/** @param differs takes what is approximated, and where. @throws NotCarried */
export function servingOf(
  flag: LaunchDarklyFlag,
  source: JsonObject,
  path: readonly string[],
  report: ReportBuilder,
  differs: (path: readonly string[], message: string) => void,
): Serving {
  const { variation } = source;
  if (typeof variation === 'number') return fixed(flag, variation);
  const rollout = objectIn(source, 'rollout', path);
  const at = [...path, 'rollout'];
  checkMembers(rollout, rolloutMembers, flag.key, at, report);
  const weighted = objectsIn(rollout, 'variations', path);
  for (const [index, each] of weighted.entries()) {
    checkMembers(each, weightedMembers, flag.key, [...at, 'variations', String(index)], report);
  }
  const [first] = weighted.filter(({ weight }) => Number(weight) > 0);
  if (first !== undefined && Number(first['weight']) >= weightOfAll) {
    return fixed(flag, Number(first['variation']));
  }
  if (weighted.length === 0) throw new NotCarried('it gives neither a variation nor a rollout');
  const served = sharesOf(flag, rollout, weighted);
  differs(at, differenceOf(rollout));
  readAttribute(report, '@u', 'key of the user: it decides about shares');
  return { served, variation: null };
}

function fixed(flag: LaunchDarklyFlag, variation: number): Serving {
  return { served: { kind: 'value', json: variationOf(flag, variation) }, variation };
}

function differenceOf({ bucketBy, contextKind, kind, experimentAllocation }: JsonObject): string {
  const isByUser = (!bucketBy || bucketBy === 'key') && (!contextKind || contextKind === 'user');
  const divided = [contextKind, bucketBy].filter(Boolean).join(' ');
  const by = isByUser ? '' : `, and it divides players by u instead of ${divided}`;
  const isExperiment = kind === 'experiment' || (experimentAllocation ?? null) !== null;
  const lost = isExperiment ? '; as an experiment it is not carried over: nothing is measured' : '';
  return `${sharesDiffer}${by}${lost}`;
}

/** The last variation takes what the weights leave, as in the SDK. */
function sharesOf(
  flag: LaunchDarklyFlag,
  { seed }: JsonObject,
  weighted: readonly JsonObject[],
): Served {
  let left = weightOfAll;
  const shares = weighted.map((each, index) => {
    const isLast = index === weighted.length - 1;
    const weight = Math.min(left, isLast ? left : Number(each['weight']) || 0);
    left -= weight;
    const variation = Number(each['variation']);
    const json = variationOf(flag, variation);
    return { name: `${index}: variation ${variation}`, json, share: weight / weightOfAll };
  });
  const own = `${flag.key}.${String(flag.config['salt'] ?? '')}`;
  const salt = typeof seed === 'number' ? String(seed) : own;
  return { kind: 'shares', salt: salt.slice(0, saltLengthMax), shares };
}

/** @throws NotCarried */
function variationOf({ variations }: LaunchDarklyFlag, index: number): string {
  const json = variations[index];
  if (json === undefined)
    throw new NotCarried(`it gives variation ${index}, which the flag does not have`);
  return json;
}
