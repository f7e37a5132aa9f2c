/** Takes a mapping as its author wrote it: parses it and says which saved segments it needs. */
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import type { Reading } from '../store/dialect.js';
import { findSegment } from '../store/segments.js';
import { type InputFault, Refusal } from './refusal.js';

export interface TakenMapping {
  readonly rules: readonly Rule[];
  /** Saved segments it refers to, each once. */
  readonly segments: readonly string[];
  /** What is valid but can hardly be meant. */
  readonly warnings: readonly InputFault[];
}

/** Refuses a mapping with faults, or with a rule whose saved segment the environment does not have. */
export async function takeMapping(
  db: Reading,
  environment: string,
  text: Uint8Array,
): Promise<TakenMapping | Refusal> {
  const parsed = parseMapping(text);
  if (!parsed.ok) return new Refusal('invalid_mapping', 'The mapping has faults.', parsed.faults);
  const { rules, warnings } = parsed;
  const segments = new Set<string>();
  const errors: InputFault[] = [];
  for (const [index, rule] of rules.entries()) {
    if (rule.condition !== null) continue;
    if (
      !segments.has(rule.segment) &&
      (await findSegment(db, environment, rule.segment)) === null
    ) {
      errors.push({
        path: `mapping[${index}].segment`,
        message: `"${rule.segment}" is not saved in "${environment}": save it, or give the rule a "when"`,
      });
    }
    segments.add(rule.segment);
  }
  if (errors.length > 0) {
    return new Refusal('invalid_mapping', 'The mapping uses segments that are not saved.', errors);
  }
  return { rules, segments: [...segments], warnings };
}
