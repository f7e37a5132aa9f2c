/**
 * Tries every mutation of a mapping against every line before it is saved: alone, and after all the rules
 * before it. One that applies nowhere is a mistake; one that misses a line may be meant, and is a warning.
 */
import { strict as assert } from 'node:assert';
import { indexDocument } from '../../../content/json/document.js';
import type { MutationSource, Rule } from '../../../content/mapping/mapping.js';
import { Untouched } from '../../../content/mutation/json-value.js';
import {
  compileMutation,
  type Mutation,
  MutationIssue,
} from '../../../content/mutation/mutation.js';
import { splice } from '../../../content/mutation/splice.js';
import type { ValidationIssue } from '../../../contract/problems.js';

export interface LineJson {
  readonly version: string;
  /** What it delivers without the mapping. */
  readonly json: Uint8Array;
}

export interface TriedMutations {
  /** Mutations that apply to no line. */
  readonly errors: readonly ValidationIssue[];
  /** Lines that a mutation misses. */
  readonly warnings: readonly ValidationIssue[];
}

/** A mutation of a rule, or of one of its variants. */
export interface Trial {
  readonly path: string;
  readonly mutation: Mutation;
}

/** Why a trial failed on one line; null where it applied. */
interface Outcome {
  alone: MutationIssue | null;
  /** After the rules before it, in whichever of their variants suited it. */
  after: MutationIssue | null;
}

/**
 * A rule with variants stands before a later one in one variant at a time. Trying the first variants of all
 * rules in a row, then the second ones and so on, meets each variant without trying their product. Variants
 * beyond these are tried alone.
 */
const columnsMax = 32;

/** What is to be tried of a mapping. */
export interface Trials {
  /** Of each rule that mutates: its own mutation, or those of its variants. */
  readonly byRule: readonly (readonly Trial[])[];
  /** The trials in a row: one of each rule, per column of variants. */
  readonly columns: readonly (readonly Trial[])[];
}

export function trialsOfRules(rules: readonly Rule[]): Trials {
  const byRule = rules.map(trialsOf).filter((trials) => trials.length > 0);
  return { byRule, columns: columnsOf(byRule) };
}

/** @param bytesMax how large a result may become */
export function tryMutations(
  { byRule, columns }: Trials,
  lines: readonly LineJson[],
  bytesMax: number,
): TriedMutations {
  const outcomesByLine = lines.map((line) => tryLine(line, byRule.flat(), columns, bytesMax));
  const errors: ValidationIssue[] = [];
  const warnings: ValidationIssue[] = [];
  for (const trial of byRule.flat()) {
    const outcomes = outcomesByLine.map((ofLine) => ofLine.get(trial) ?? neverTried);
    const { path } = trial;
    if (outcomes.every(({ alone, after }) => alone !== null && after !== null)) {
      errors.push({
        path,
        message: `It applies to no line: ${outcomes[0]?.alone?.message ?? ''}.`,
      });
      continue;
    }
    for (const [index, outcome] of outcomes.entries()) {
      const appVersion = lines[index]?.version ?? '';
      const message = warningOf(appVersion, outcome);
      if (message !== null) warnings.push({ path, appVersion, message });
    }
  }
  return { errors, warnings };
}

const neverTried: Outcome = { alone: null, after: null };

function columnsOf(byRule: readonly (readonly Trial[])[]): Trial[][] {
  const width = byRule.reduce((most, trials) => Math.max(most, trials.length), 0);
  const columns: Trial[][] = [];
  for (let column = 0; column < Math.min(width, columnsMax); column++) {
    columns.push(byRule.flatMap((trials) => trials[column] ?? trials.slice(-1)));
  }
  return columns;
}

/**
 * All trials in one splice, which writes its result once: between them the document is put back as it was.
 * Trying 500 mutations of a large text one by one would copy it 500 times.
 */
function tryLine(
  line: LineJson,
  trials: readonly Trial[],
  columns: readonly (readonly Trial[])[],
  bytesMax: number,
): Map<Trial, Outcome> {
  const document = indexDocument(line.json);
  const restore: Mutation = { kind: 'replace', value: new Untouched(document, 0) };
  const inRow = columns.flatMap((column) => [...column, null]);
  const steps: (Trial | null)[] = [...trials.flatMap((trial) => [trial, null]), ...inRow];
  const mutations = steps.map((trial) => trial?.mutation ?? restore);
  const { issues } = splice(document, mutations, bytesMax);

  const outcomes = new Map<Trial, Outcome>();
  const reached = new Set<Trial>();
  for (const [index, trial] of steps.entries()) {
    if (trial === null) continue;
    const issue = issues[index] ?? null;
    const outcome = outcomes.get(trial);
    if (outcome === undefined) {
      // What no column reaches counts as it did alone.
      outcomes.set(trial, { alone: issue, after: issue });
    } else if (!reached.has(trial) || issue === null) {
      // In a later column it stands after other variants: applying once is enough.
      outcome.after = issue;
      reached.add(trial);
    }
  }
  return outcomes;
}

function warningOf(version: string, { alone, after }: Outcome): string | null {
  if (alone !== null && after !== null) return `It misses the line ${version}: ${alone.message}.`;
  if (after !== null) {
    return `It misses the line ${version} where the rules before it applied: ${after.message}.`;
  }
  if (alone !== null) {
    return `It misses the line ${version} unless the rules before it applied: ${alone.message}.`;
  }
  return null;
}

function trialsOf(rule: Rule, index: number): Trial[] {
  const trials: Trial[] = [];
  const add = (source: MutationSource | null, path: string): void => {
    if (source === null) return;
    const mutation = compileMutation(source.kind, source.document);
    assert(!(mutation instanceof MutationIssue), 'a parsed mapping has mutations that compile');
    trials.push({ path: `${path}.${source.kind}`, mutation });
  };
  add(rule.mutation, `mapping[${index}]`);
  for (const [at, variant] of (rule.variants ?? []).entries()) {
    add(variant.mutation, `mapping[${index}].variants[${at}]`);
  }
  return trials;
}
