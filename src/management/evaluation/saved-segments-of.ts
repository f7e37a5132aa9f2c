/** Which saved segments a mapping uses, and in which of its rules. */
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextFault } from '../../content/json/text-fault.js';
import { mappingLevelsMax } from '../../content/mapping/mapping-limits.js';

/**
 * By name, the places (from 0) of the rules that have no condition of their own. Of a mapping with faults, as many as
 * can be read.
 */
export function savedSegmentsOf(mapping: Uint8Array): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const json = stripJsonc(mapping, mappingLevelsMax);
  const rules: unknown =
    json instanceof TextFault ? null : JSON.parse(Buffer.from(json).toString());
  if (!Array.isArray(rules)) return places;
  for (const [index, rule] of rules.entries()) {
    if (typeof rule !== 'object' || rule === null || 'when' in rule) continue;
    const { segment } = rule;
    if (typeof segment === 'string') places.set(segment, [...(places.get(segment) ?? []), index]);
  }
  return places;
}
