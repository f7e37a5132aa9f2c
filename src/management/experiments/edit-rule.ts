/** Edits of one rule in the text of a mapping, which keeps its form otherwise. Pure. */
import { strict as assert } from 'node:assert';
import {
  BRACE_CLOSE,
  BRACE_OPEN,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  COMMA,
} from '../../content/json/ascii.js';
import {
  indexDocument,
  type JsonDocument,
  keyStartOf,
  nextOf,
  startOf,
  valueEndOf,
  valueStartOf,
} from '../../content/json/document.js';
import { editedText } from '../../content/json/edited-text.js';
import { stringOf } from '../../content/json/json-text.js';
import type { MutationSource } from '../../content/mapping/mapping.js';
import { storedLevelsMax } from '../limits/bodies.js';
import { deliveredJson } from '../store/contents/delivered-json.js';

/** What only a rule with variants has, or what keeps players out of an experiment. */
const ofExperiments: readonly string[] = ['variants', 'salt', 'layer', 'slice', 'holdout'];

/** @returns null: no rule is left */
export function withoutRule(mapping: Uint8Array, at: number): Uint8Array | null {
  const rules = rulesOf(mapping);
  rules.splice(at, 1);
  return rules.length === 0 ? null : textOf(mapping, rules);
}

/** The rule applies to all players of its condition, and gives them the winner's values. */
export function ruleWithWinner(
  mapping: Uint8Array,
  at: number,
  { kind, document }: MutationSource,
): Uint8Array {
  const rules = rulesOf(mapping);
  const rule = rules[at];
  assert(rule !== undefined, 'the mapping was read, and has the rule');
  const winner = Buffer.concat([Buffer.from(`"${kind}":`), document.bytes]);
  const members = [...membersBeside(indexDocument(rule), ofExperiments), winner];
  rules[at] = joined(BRACE_OPEN, members, BRACE_CLOSE);
  return textOf(mapping, rules);
}

function textOf(mapping: Uint8Array, rules: readonly Uint8Array[]): Uint8Array {
  const wanted = joined(BRACKET_OPEN, rules, BRACKET_CLOSE);
  return editedText(mapping, wanted, storedLevelsMax);
}

/** The rules as minified JSON, each on its own. */
function rulesOf(mapping: Uint8Array): Uint8Array[] {
  const list = indexDocument(deliveredJson(mapping));
  return childrenOf(list).map((node) =>
    list.bytes.slice(valueStartOf(list, node), valueEndOf(list, node)),
  );
}

function membersBeside(object: JsonDocument, names: readonly string[]): Uint8Array[] {
  return childrenOf(object).flatMap((node) => {
    const name = stringOf(object.bytes, keyStartOf(object, node), valueStartOf(object, node) - 1);
    if (names.includes(name)) return [];
    return [object.bytes.subarray(startOf(object, node), valueEndOf(object, node))];
  });
}

function childrenOf(document: JsonDocument): number[] {
  const children: number[] = [];
  for (let node = 1; node < nextOf(document, 0); node = nextOf(document, node)) children.push(node);
  return children;
}

function joined(open: number, parts: readonly Uint8Array[], close: number): Uint8Array {
  const comma = Buffer.of(COMMA);
  const pieces = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
  return Buffer.concat([Buffer.of(open), ...pieces, Buffer.of(close)]);
}
