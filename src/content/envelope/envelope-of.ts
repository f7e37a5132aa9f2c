/**
 * The envelope of a content: every value that any caller could be given. Conditions, windows and buckets are ignored: each
 * rule may apply or not, with any one of its variants, in the order of the mapping. Sound, and as tight as a description
 * place by place can be (D90).
 */

import { type JsonDocument, NODE_WORDS } from '../json/document.js';
import type { Rule } from '../mapping/rule.js';
import { compileMutation, type Mutation } from '../mutation/mutation.js';
import { MutationIssue } from '../mutation/mutation-issue.js';
import { merged } from './abstract-merge.js';
import { patched } from './abstract-patch.js';
import { type AbstractValue, Mixed, Origin } from './abstract-value.js';
import { Edit } from './edit.js';
import {
  stepsMax as defaultStepsMax,
  valuesPerWrittenMax,
  valuesWalkedMin,
} from './envelope-limits.js';
import { join } from './join.js';
import { allTypes } from './json-types.js';
import type { LineEnvelope, LineJson, PathEnvelope, ValueSource } from './line-envelope.js';
import { listPaths, type PathListing } from './list-paths.js';
import { sizeOf } from './measure.js';
import { Steps } from './steps.js';

/**
 * One envelope per line, in their order.
 * @param stepsMax what following the rules may cost for each line; beyond, its envelope `isUnbounded`
 */
export function envelopeOf(
  lines: readonly LineJson[],
  rules: readonly Rule[],
  stepsMax: number = defaultStepsMax,
): readonly LineEnvelope[] {
  const compiled = new CompiledRules(rules);
  return lines.map((line) => followed(line, compiled, stepsMax));
}

/** A mutation that a rule may apply, and where its values are written. */
interface SourcedMutation {
  readonly mutation: Mutation;
  readonly document: JsonDocument;
  readonly source: ValueSource;
}

/** Rules whose mutations are compiled when the first line needs them: of a hostile mapping, few are. */
class CompiledRules {
  readonly #rules: readonly Rule[];
  readonly #compiled: (readonly SourcedMutation[])[] = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  get count(): number {
    return this.#rules.length;
  }

  mutationsOf(index: number): readonly SourcedMutation[] {
    this.#compiled[index] ??= compileRule(this.#rules[index] as Rule, index);
    return this.#compiled[index];
  }
}

function compileRule(rule: Rule, index: number): readonly SourcedMutation[] {
  const alternatives = rule.variants ?? [{ name: null, mutation: rule.mutation }];
  return alternatives.flatMap(({ name, mutation }) => {
    if (mutation === null) return [];
    const { kind, document } = mutation;
    const compiled = compileMutation(kind, document);
    // It was compiled when the mapping was parsed, so it is no issue.
    if (compiled instanceof MutationIssue) return [];
    const source = { rule: index, segment: rule.segment, variant: name };
    return [{ mutation: compiled, document, source }];
  });
}

function followed(
  { version, document }: LineJson,
  rules: CompiledRules,
  stepsMax: number,
): LineEnvelope {
  const steps = new Steps(stepsMax);
  const edit = new Edit(steps);
  let root: AbstractValue = new Origin(document, LINE).at(0);
  let written = document.nodes.length / NODE_WORDS;
  for (let rule = 0; rule < rules.count; rule++) {
    const before: AbstractValue = root;
    for (const { mutation, source, document: inserted } of rules.mutationsOf(rule)) {
      edit.register(inserted, source);
      written += inserted.nodes.length / NODE_WORDS;
      edit.share();
      const after = applied(mutation, before, edit);
      if (after !== null) root = join(root, after, steps);
      if (steps.areSpent || edit.isTooDeep) return unbounded(version);
    }
  }
  const { values } = sizeOf(root, steps);
  const valuesMax = valuesWalkedMin + valuesPerWrittenMax * written;
  return steps.areSpent || values > valuesMax ? unbounded(version) : new Followed(version, root);
}

/** What the mutation makes of the value where it applies; null: it never does. */
function applied(mutation: Mutation, value: AbstractValue, edit: Edit): AbstractValue | null {
  switch (mutation.kind) {
    case 'merge':
      return merged(value, mutation.patch, edit);
    case 'patch':
      return patched(value, mutation.operations, edit);
    case 'replace':
      return edit.insert(mutation.value);
  }
}

class Followed implements LineEnvelope {
  readonly version: string;
  readonly root: AbstractValue;
  readonly isUnbounded = false;
  #listing: PathListing | null = null;

  constructor(version: string, root: AbstractValue) {
    this.version = version;
    this.root = root;
  }

  get paths(): ReadonlyMap<string, PathEnvelope> {
    return this.#listed.paths;
  }

  get isTruncated(): boolean {
    return this.#listed.isTruncated;
  }

  get #listed(): PathListing {
    this.#listing ??= listPaths(this.root);
    return this.#listing;
  }
}

function unbounded(version: string): LineEnvelope {
  const root = {
    path: '',
    types: allTypes,
    isAlwaysThere: true,
    min: null,
    max: null,
    texts: null,
  };
  const paths = new Map([['', root]]);
  return { version, root: new Mixed(null, []), isUnbounded: true, paths, isTruncated: false };
}

const LINE: ValueSource = { rule: null, segment: null, variant: null };
