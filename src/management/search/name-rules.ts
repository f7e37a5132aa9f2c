/** What the rules of a mapping are called, and what they ask of a player. */
import type { NamedRule } from '../../contract/operations/search/names.js';
import { attributeUses } from '../contents/warnings/attribute-uses.js';
import { namedAttributesMax } from '../limits/experiments.js';
import { deliveredJson } from '../store/contents/delivered-json.js';

interface RuleJson {
  readonly segment: string;
  readonly when?: unknown;
  readonly info?: string;
}

/** Of an invalid mapping, which delivery would not take either: none. */
export function nameRules(mapping: Uint8Array): NamedRule[] {
  try {
    const rules = JSON.parse(Buffer.from(deliveredJson(mapping)).toString()) as readonly RuleJson[];
    return rules.map(({ segment, when, info = null }, rule) => ({
      ...{ rule, segment, saved: when === undefined, info },
      attributes: when === undefined ? [] : attributesOf(when),
    }));
  } catch {
    return [];
  }
}

function attributesOf(when: unknown): string[] {
  const uses = attributeUses(when, '');
  return uses.map(({ attribute }) => attribute).slice(0, namedAttributesMax);
}
