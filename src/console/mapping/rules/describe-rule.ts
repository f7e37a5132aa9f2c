/** Says in a line for whom a rule is and what it does: `country is one of DE, FR · changes banner.title, featured and 1 more`. Pure. */
import { parse } from 'jsonc-parser';
import { describeCondition } from '../../conditions/describe-condition.js';
import type { MutationView, RuleView } from './rule-view.js';

/** The line is cut by the screen; more would not be read. */
const pathsShown = 2;
const pathsMax = 1_000;

export function describeRule({ when, variants, mutation }: RuleView): string {
  const who = when === null ? 'Saved segment' : upperFirst(describeCondition(when));
  if (variants === null) return `${who} · ${describeMutation(mutation)}`;
  return variants === 'other'
    ? `A/B test · ${who}`
    : `A/B test of ${variants.length} variants · ${who}`;
}

function describeMutation(mutation: MutationView | null): string {
  if (mutation === null) return 'no change';
  if (mutation.kind === 'replace') return 'replaces all';
  const value: unknown = parse(mutation.source);
  const paths = mutation.kind === 'merge' ? pathsOfMerge(value) : pathsOfPatch(value);
  if (paths.length === 0) return 'no change';
  const more = paths.length - pathsShown;
  return `changes ${paths.slice(0, pathsShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Of the values that a merge patch sets or removes. */
function pathsOfMerge(value: unknown, above: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return above.length === 0 ? [] : [above.join('.')];
  }
  const paths: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (paths.length >= pathsMax) break;
    paths.push(...pathsOfMerge(member, [...above, name]));
  }
  return paths;
}

/** Of the operations of a JSON Patch, each path once. */
function pathsOfPatch(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const paths = new Set<string>();
  for (const operation of value.slice(0, pathsMax)) {
    const path: unknown = operation?.path;
    if (typeof path === 'string') paths.add(path.slice(1).replaceAll('/', '.') || 'the whole');
  }
  return [...paths];
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
