/**
 * A state of a content that is to be tried out: a saved revision, or one with edits that are not saved. Compiled as
 * delivery compiles what is published, so that it responds as delivery would.
 */
import { strict as assert } from 'node:assert';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import { ContentPlan, type PlanLine } from '../../content/content-plan.js';
import { contentHash, digestOf, type HashedRules } from '../../content/hash.js';
import { TextIssue } from '../../content/json/text-issue.js';
import type { Layers } from '../../content/layers.js';
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import { NO_VERSION, parseVersion } from '../../content/version.js';
import type { ValidationIssue } from '../../contract/problems.js';
import { deliverText } from '../../native/text-work.js';
import { layerIssues, saltedUsesOf } from '../contents/validate/layer-issues.js';
import type { PlainProblem } from '../contents/validate/validate-state.js';
import { ownConditions } from '../contents/warnings/own-conditions.js';
import { deliveredJson, hashedRules } from '../store/contents/delivered-json.js';

/** Data only: it travels to a worker. */
export interface CandidateInput {
  readonly id: string;
  readonly lines: readonly CandidateLineInput[];
  /** JSON text, or null without one. */
  readonly mapping: Uint8Array | null;
  /** The mapping is an edit that was not checked yet. */
  readonly mappingEdited: boolean;
}

export interface CandidateLineInput {
  /** Minimum app version. */
  readonly version: string;
  /** As it is stored or was sent; empty where the line is not needed. */
  readonly text: Uint8Array;
  /** What is known of a stored text; null: it is an edit, and is checked. */
  readonly saved: SavedLine | null;
}

interface SavedLine {
  /** SHA-256 of the delivered JSON. */
  readonly digest: string;
  /** XXH3-64 of the same. */
  readonly jsonHash: string;
}

/** A saved segment. */
export interface SegmentInput {
  readonly name: string;
  /** JSON text. */
  readonly condition: string;
}

/** A state of a content, with the saved segments it uses and the layers of its environment. */
export interface CandidateState {
  readonly candidate: CandidateInput;
  readonly segments: readonly SegmentInput[];
  readonly layers: Layers;
}

export interface CandidateLine extends PlanLine {
  readonly text: Uint8Array;
  /** What it delivers without the mapping. */
  json(): Uint8Array;
}

export interface Candidate {
  readonly plan: ContentPlan<CandidateLine>;
  readonly rules: readonly Rule[];
  readonly layers: Layers;
  /** The condition of each rule, its own or the saved one, as `JSON.parse` gives it; null: there is no such segment. */
  readonly conditions: readonly unknown[];
}

/**
 * @param levelsMax how deep the text of an edit may nest
 * @returns why the edit cannot be tried out; it could not be saved either
 */
export function readCandidate(
  { candidate: input, segments, layers }: CandidateState,
  levelsMax: number,
): Candidate | PlainProblem {
  const mapping = readMapping(input, segments, layers);
  const rules = 'code' in mapping ? null : hashedRules(input.mapping, segments, layers);
  const lines: CandidateLine[] = [];
  for (const line of input.lines) {
    const read =
      line.saved === null ? editedLine(line, levelsMax, rules) : savedLine(line, line.saved, rules);
    if ('code' in read) return read;
    lines.push(read);
  }
  if ('code' in mapping) return mapping;
  const compiled = new Map<string, Condition>();
  for (const { name, condition } of segments) compiled.set(name, compileSaved(condition));
  const condition = (name: string): Condition | undefined => compiled.get(name);
  const plan = new ContentPlan(input.id, lines, mapping.rules, condition, undefined, layers);
  return { plan, layers, ...mapping };
}

function savedLine(
  { version, text }: CandidateLineInput,
  { digest, jsonHash }: SavedLine,
  rules: HashedRules | null,
): CandidateLine {
  let json: Uint8Array | null = null;
  let hash: string | null = rules === null ? jsonHash : null;
  return {
    ...versionOf(version),
    digest,
    text,
    json() {
      json ??= deliveredJson(text);
      return json;
    },
    // Computed when it is asked for: of the lines that are not, the text was not even read.
    get hash() {
      hash ??= contentHash(this.json(), rules);
      return hash;
    },
  };
}

function editedLine(
  { version, text }: CandidateLineInput,
  levelsMax: number,
  rules: HashedRules | null,
): CandidateLine | PlainProblem {
  const delivered = deliverText(text, levelsMax);
  if (delivered instanceof TextIssue) {
    const { message, line, column } = delivered;
    const errors = [{ path: 'text', message, line, column }];
    const detail = 'The text is not JSON (comments aside).';
    return { code: 'invalid_content', detail, errors };
  }
  const { json } = delivered;
  const hash = rules === null ? delivered.hash : contentHash(json, rules);
  return { ...versionOf(version), digest: digestOf(json), hash, text, json: () => json };
}

function versionOf(version: string): Pick<PlanLine, 'version' | 'versionText'> {
  return { version: parseVersion(version) ?? NO_VERSION, versionText: version };
}

function readMapping(
  { mapping, mappingEdited }: CandidateInput,
  segments: readonly SegmentInput[],
  layers: Layers,
): Omit<Candidate, 'plan' | 'layers'> | PlainProblem {
  if (mapping === null) return { rules: [], conditions: [] };
  const parsed = parseMapping(mapping);
  if (!parsed.ok) {
    assert(mappingEdited, 'a saved mapping parses');
    return invalidMapping(parsed.issues);
  }
  const saved = new Map<string, unknown>();
  for (const { name, condition } of segments) saved.set(name, JSON.parse(condition));
  const conditions = ownConditions(mapping).map(
    (own, index) => own ?? saved.get(parsed.rules[index]?.segment ?? '') ?? null,
  );
  const errors: ValidationIssue[] = [];
  for (const [index, rule] of parsed.rules.entries()) {
    if (conditions[index] !== null) continue;
    const message = `"${rule.segment}" is not saved: save it, or give the rule a "when"`;
    errors.push({ path: `mapping[${index}].segment`, message });
  }
  if (mappingEdited) errors.push(...layerIssues(saltedUsesOf(parsed.rules), layers));
  if (mappingEdited && errors.length > 0) return invalidMapping(errors);
  return { rules: parsed.rules, conditions };
}

function invalidMapping(errors: readonly ValidationIssue[]): PlainProblem {
  return { code: 'invalid_mapping', detail: 'The mapping is not valid.', errors };
}

function compileSaved(condition: string): Condition {
  const compiled = compileCondition(JSON.parse(condition));
  assert(typeof compiled === 'function', 'a saved condition compiles');
  return compiled;
}
