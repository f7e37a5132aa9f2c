/**
 * Reads a dynamic mapping: the text that a content carries, into rules that are ready to select with.
 *
 * The values of `merge`, `patch` and `replace` keep their own bytes (number lexemes, key order, repeated keys, escapes);
 * only what the server itself must understand is parsed. All that is wrong is reported at once, each issue with its path.
 */

import { type Condition, type ConditionIssue, compileCondition } from '../condition/condition.js';
import { indexDocument } from '../json/document.js';
import { stripJsonc } from '../json/jsonc.js';
import { TextIssue } from '../json/text-issue.js';
import { readLayer } from './mapping-layer.js';
import {
  infoLengthMax,
  mappingLevelsMax,
  mappingRulesMax,
  nameLengthMax,
} from './mapping-limits.js';
import { readMutation } from './mapping-mutation.js';
import { type MappingIssue, MappingObject, MappingValue } from './mapping-object.js';
import { readVariants } from './mapping-variants.js';
import { readWindow } from './mapping-window.js';
import type { Rule } from './rule.js';

export type { MappingIssue } from './mapping-object.js';
export type { MutationSource, Rule, Variant } from './rule.js';

export type ParsedMapping =
  | {
      readonly ok: true;
      readonly rules: readonly Rule[];
      /** What is valid but can hardly be meant. */
      readonly warnings: readonly MappingIssue[];
    }
  | { readonly ok: false; readonly issues: readonly MappingIssue[] };

/** Reads a mapping from its text (JSON; comments are allowed). `levelsMax`: how deep the text may nest. */
export function parseMapping(
  text: Uint8Array,
  levelsMax: number = mappingLevelsMax,
): ParsedMapping {
  const json = stripJsonc(text, levelsMax);
  if (json instanceof TextIssue) {
    const { message, line, column } = json;
    return { ok: false, issues: [{ path: 'mapping', message, line, column }] };
  }
  const issues: MappingIssue[] = [];
  const warnings: MappingIssue[] = [];
  const list = new MappingValue(indexDocument(json), 0, 'mapping', issues);
  const rules: Rule[] = [];
  for (const element of list.elements(mappingRulesMax) ?? []) {
    const object = MappingObject.read(element);
    if (object !== null) rules.push(readRule(object, warnings));
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, rules, warnings };
}

/** After an issue the rule is only a stand-in: the mapping is rejected as a whole. */
function readRule(object: MappingObject, warnings: MappingIssue[]): Rule {
  const segment = object.name('segment', nameLengthMax);
  const condition = readCondition(object, warnings);
  const info = object.text('info', infoLengthMax);
  const { fromMs, untilMs, isLocal, repeat } = readWindow(object, warnings);
  const { salt, layer, slice, holdout } = readLayer(object);
  const list = object.member('variants');
  const variants = list === null ? null : readVariants(list);
  const mutation = readMutation(object);
  if (variants !== null && mutation !== null) {
    const message = 'stands beside variants; let the variants mutate';
    object.value.reject(message, `.${mutation.kind}`);
  }
  object.rejectOthers();
  // Not spread: all rules have one shape, which each request reads.
  return {
    segment,
    condition,
    info,
    fromMs,
    untilMs,
    isLocal,
    repeat,
    salt,
    layer,
    slice,
    holdout,
    variants,
    mutation,
  };
}

function readCondition(object: MappingObject, warnings: MappingIssue[]): Condition | null {
  const member = object.member('when');
  if (member === null) return null;
  const conditionWarnings: ConditionIssue[] = [];
  const condition = compileCondition(member.parse(), conditionWarnings);
  if (typeof condition !== 'function') {
    // A condition's paths begin with `when`, as the member's own does.
    for (const { path, message } of condition) object.value.reject(message, `.${path}`);
    return null;
  }
  for (const { path, message } of conditionWarnings) {
    warnings.push({ path: `${object.value.path}.${path}`, message });
  }
  return condition;
}
