/**
 * Validates the complete state of a content: whether its mapping can be read and applied to its lines, and whether all that
 * it can deliver is valid by its schema (D35). Pure: the same state has the same result, in every environment.
 */
import { parseMapping, type Rule } from '../../../content/mapping/mapping.js';
import { mutatedBytesMax } from '../../../content/mutation/splice-limits.js';
import type { Problem, ProblemCode, ValidationIssue } from '../../../contract/problems.js';
import { faultsShownMax } from '../../limits/work.js';
import { deliveredJson } from '../../store/contents/delivered-json.js';
import { anonymousWarning, variantOfAnonymous } from '../warnings/anonymous-warning.js';
import { type AttributeUse, attributeUses, mergeUses } from '../warnings/attribute-uses.js';
import { blankWarnings } from '../warnings/blank-warnings.js';
import { findWarnings } from '../warnings/find-warnings.js';
import { flagWarnings } from '../warnings/flag-warnings.js';
import { ownConditions } from '../warnings/own-conditions.js';
import { type SaltedUse, saltedUsesOf } from './layer-issues.js';
import { type LineJson, trialsOfRules, tryMutations } from './try-mutations.js';

export interface ValidatedLine {
  readonly version: string;
  /** As it is stored, with its comments. */
  readonly text: Uint8Array;
}

export interface StateToValidate {
  readonly lines: readonly ValidatedLine[];
  /** Its text, or null without one. */
  readonly mapping: Uint8Array | null;
  /** JSON Schema, JSON text; null without one. */
  readonly schema: string | null;
  /** JSON Pointers. */
  readonly flags: readonly string[];
}

/** A rule that leaves its condition to a saved segment. */
export interface SegmentUse {
  readonly rule: number;
  readonly segment: string;
  /** The variant that callers without a user id get, should the segment admit them; null: none. */
  readonly anonymousVariant: string | null;
}

/** A problem as plain data, which can be sent between threads. */
export type PlainProblem = Pick<Problem, 'code' | 'detail' | 'errors'>;

export interface StateValidation {
  /** Why the state is rejected; null: it is valid, except for `mismatch`. */
  readonly problem: PlainProblem | null;
  /** What it delivers does not match its schema, so that it can only be a draft; null: it matches. */
  readonly mismatch: PlainProblem | null;
  readonly warnings: readonly ValidationIssue[];
  readonly segments: readonly SegmentUse[];
  /** How many of its rules are A/B tests. */
  readonly tests: number;
  /** Its rules in layers. */
  readonly layers: readonly SaltedUse[];
  /** The attributes that its own conditions read, each where it is read first. */
  readonly attributes: readonly AttributeUse[];
}

export async function validateState(state: StateToValidate): Promise<StateValidation> {
  const { mapping } = state;
  const parsed = mapping === null ? noMapping : parseMapping(mapping);
  if (!parsed.ok) return reject('invalid_mapping', 'The mapping is not valid.', parsed.issues);
  const { rules } = parsed;
  // Without places: a mapping is often sent without the white space that its author sees.
  const ofText = (mapping === null ? [] : findWarnings(mapping)).map(({ message }) => {
    return { path: 'mapping', message };
  });
  const warnings: ValidationIssue[] = [...parsed.warnings, ...ofText];
  let mismatch: PlainProblem | null = null;
  const trials = trialsOfRules(rules);
  const lines = state.lines.map(
    ({ version, text }): LineJson => ({ version, json: deliveredJson(text) }),
  );
  const tried = tryMutations(trials, lines, mutatedBytesMax);
  if (tried.errors.length > 0) {
    const detail = 'The mapping has a mutation that no line of this content can take.';
    return reject('invalid_mapping', detail, tried.errors);
  }
  const conditions = conditionsOf(rules, mapping);
  warnings.push(...tried.warnings, ...conditions.flatMap(anonymousWarnings));
  warnings.push(...conditions.flatMap(({ condition, path }) => blankWarnings(condition, path)));
  warnings.push(...flagWarnings(state.flags, lines));
  if (state.schema !== null) {
    // Loaded where it is needed: the control thread of a server without schemas never does.
    const { checkSchema } = await import('./check-schema.js');
    const checked = checkSchema(state.schema, state.lines, lines, trials);
    if (checked.problem !== null) {
      const { code, detail, errors } = checked.problem;
      return reject(code, detail, errors);
    }
    warnings.push(...checked.warnings);
    mismatch = checked.mismatch;
  }
  const segments = rules.flatMap((one, rule) => {
    const { condition, segment } = one;
    const anonymousVariant = variantOfAnonymous(one);
    return condition === null ? [{ rule, segment, anonymousVariant }] : [];
  });
  const uses = conditions.map(({ condition, path }) => attributeUses(condition, path));
  return {
    problem: null,
    mismatch,
    warnings: bounded(warnings),
    segments,
    tests: rules.filter(({ variants }) => variants !== null).length,
    layers: saltedUsesOf(rules),
    attributes: mergeUses(uses),
  };
}

const noMapping = { ok: true, rules: [] as readonly Rule[], warnings: [] } as const;

/** A rule's own condition, and its place. */
interface OwnCondition {
  readonly index: number;
  readonly rule: Rule;
  readonly condition: unknown;
  /** `mapping[0].when`. */
  readonly path: string;
}

function conditionsOf(rules: readonly Rule[], mapping: Uint8Array | null): OwnCondition[] {
  if (mapping === null || rules.every(({ condition }) => condition === null)) return [];
  return ownConditions(mapping).flatMap((condition, index) => {
    const rule = rules[index];
    const path = `mapping[${index}].when`;
    return condition === null || rule === undefined ? [] : [{ index, rule, condition, path }];
  });
}

function anonymousWarnings({ index, rule, condition }: OwnCondition): ValidationIssue[] {
  const variant = variantOfAnonymous(rule);
  if (variant === null) return [];
  const warning = anonymousWarning(index, { segment: rule.segment, variant }, condition, 'when');
  return warning === null ? [] : [warning];
}

function reject(
  code: ProblemCode,
  detail: string,
  errors: readonly ValidationIssue[],
): StateValidation {
  const problem = { code, detail, errors: bounded(errors) };
  return {
    problem,
    mismatch: null,
    warnings: [],
    segments: [],
    tests: 0,
    layers: [],
    attributes: [],
  };
}

/** As many of one kind as a response lists, and how many more there are. */
export function bounded(issues: readonly ValidationIssue[]): ValidationIssue[] {
  const shown = issues.slice(0, faultsShownMax);
  const more = issues.length - shown.length;
  if (more > 0) shown.push({ path: '', message: `There are ${more} more, which are not shown.` });
  return shown;
}
