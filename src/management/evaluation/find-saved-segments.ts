/** Which saved segments a mapping uses, and in which of its rules. */
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextIssue } from '../../content/json/text-issue.js';
import { mappingLevelsMax } from '../../content/mapping/mapping-limits.js';
import { getOrAdd } from '../get-or-add.js';

/**
 * Names, each with the places (from 0) of the rules that have no condition of their own; pairs, because a result of a task
 * is plain data. Of a mapping with issues, as many as can be read.
 */
export function findSavedSegments(mapping: Uint8Array): [string, number[]][] {
  const places = new Map<string, number[]>();
  const json = stripJsonc(mapping, mappingLevelsMax);
  const rules: unknown =
    json instanceof TextIssue ? null : JSON.parse(Buffer.from(json).toString());
  for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    if (typeof rule !== 'object' || rule === null || 'when' in rule) continue;
    if (typeof rule.segment === 'string') getOrAdd(places, rule.segment, () => []).push(index);
  }
  return [...places];
}
