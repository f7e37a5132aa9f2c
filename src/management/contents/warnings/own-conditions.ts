/** The conditions that the rules of a mapping bring along, as `JSON.parse` gives them. */
import { deliveredJson } from '../../store/contents/delivered-json.js';

/** The `when` of each rule of a mapping that parses; null where it has none. */
export function ownConditions(mapping: Uint8Array): unknown[] {
  const rules = JSON.parse(Buffer.from(deliveredJson(mapping)).toString()) as readonly object[];
  return rules.map((rule) => ('when' in rule ? rule.when : null));
}
