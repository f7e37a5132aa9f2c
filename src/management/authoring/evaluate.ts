/** Shows what a caller would be answered, byte for byte as delivery does it, and why. */
import { strict as assert } from 'node:assert';
import type { Caller } from '../../content/caller.js';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import { ContentPlan, type PlanLine, type Selection } from '../../content/content-plan.js';
import { indexDocument } from '../../content/json/document.js';
import { parseMapping, type Rule } from '../../content/mapping/mapping.js';
import { compileMutation, type Mutation, MutationFault } from '../../content/mutation/mutation.js';
import { splice } from '../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { NO_VERSION, parseVersion } from '../../content/version.js';
import { findContent } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { findEnvironment } from '../store/environments.js';
import { deliveredJson } from '../store/published-state.js';
import { findRevision, type Revision } from '../store/revisions.js';
import { listSegments } from '../store/segments.js';
import { readText } from '../store/texts.js';
import { environmentUnknown } from './edit-environment.js';
import { explainRules, type RuleVerdict } from './explain-rules.js';
import { contentUnknown, revisionUnknown } from './publish-content.js';
import type { Refusal } from './refusal.js';

export interface EvaluateWish {
  readonly environment: string;
  readonly id: string;
  /** null: the live one. */
  readonly revision: number | null;
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

export interface Evaluation {
  readonly id: string;
  readonly revision: number;
  readonly live: number | null;
  /** The line that was chosen; null: none admits the caller's version, and delivery answers 404. */
  readonly appVersion: string | null;
  /** The wrapped answer; null where delivery answers 404. */
  readonly answer: Uint8Array | null;
  readonly rules: readonly RuleVerdict[];
  /** Bytes of the stored text, of the line without and with mutations, and of the whole answer. */
  readonly sizes: {
    readonly textBytes: number;
    readonly jsonBytes: number;
    readonly dataBytes: number;
    readonly answerBytes: number;
  } | null;
}

export async function evaluate(db: Reading, wish: EvaluateWish): Promise<Evaluation | Refusal> {
  const { environment, caller, atMs } = wish;
  if ((await findEnvironment(db, environment)) === null) return environmentUnknown(environment);
  const content = await findContent(db, environment, wish.id);
  const number = wish.revision ?? content?.live ?? null;
  if (content === null || content.deletedAtMs !== null || number === null) {
    return contentUnknown(environment, wish.id);
  }
  const revision = await findRevision(db, environment, content.idLower, number);
  if (revision === null) return revisionUnknown(content.id, number);

  const rules = await readRules(db, revision);
  const saved = await savedConditions(db, environment);
  const plan = new ContentPlan(content.id, revision.lines.map(planLine), rules, (name) =>
    saved.get(name),
  );
  const line = plan.line(caller.version);
  const chosen = revision.lines.find((other) => other.version === line?.versionText);
  const about = { id: content.id, revision: number, live: content.live };
  if (line === null || chosen === undefined) {
    return { ...about, appVersion: null, answer: null, rules: [], sizes: null };
  }
  const selection = plan.select(caller, atMs);
  const json = deliveredJson(await readText(db, chosen.textDigest));
  const mutated = mutate(json, selection);
  const answer = wrap(mutated.json, line.hash, caller, mutated.seg);
  return {
    ...about,
    appVersion: line.versionText,
    answer,
    rules: explainRules(rules, saved, caller, atMs, mutated.faultsByRule),
    sizes: {
      textBytes: chosen.textBytes,
      jsonBytes: chosen.jsonBytes,
      dataBytes: mutated.json.byteLength,
      answerBytes: answer.byteLength,
    },
  };
}

function planLine(line: Revision['lines'][number]): PlanLine {
  return {
    version: parseVersion(line.version) ?? NO_VERSION,
    versionText: line.version,
    digest: line.jsonDigest,
    hash: line.hash,
  };
}

async function readRules(db: Reading, revision: Revision): Promise<readonly Rule[]> {
  if (revision.mapping === null) return [];
  const mapping = parseMapping(await readText(db, revision.mapping));
  assert(mapping.ok, 'a saved mapping parses');
  return mapping.rules;
}

async function savedConditions(db: Reading, environment: string): Promise<Map<string, Condition>> {
  const conditions = new Map<string, Condition>();
  for (const { name, condition } of await listSegments(db, environment)) {
    const compiled = compileCondition(JSON.parse(condition));
    assert(typeof compiled === 'function', 'a saved condition compiles');
    conditions.set(name, compiled);
  }
  return conditions;
}

interface Mutated {
  readonly json: Uint8Array;
  readonly seg: string;
  /** Rules that were selected but could not apply. */
  readonly faultsByRule: ReadonlyMap<number, string>;
}

function mutate(json: Uint8Array, selection: Selection): Mutated {
  const mutations: Mutation[] = selection.mutations.map(({ kind, document }) => {
    const mutation = compileMutation(kind, document);
    assert(!(mutation instanceof MutationFault), 'a saved mutation compiles');
    return mutation;
  });
  if (mutations.length === 0) return { json, seg: selection.segJson, faultsByRule: new Map() };
  const { bytes, faults } = splice(indexDocument(json), mutations, mutatedBytesMax);
  const missed: number[] = [];
  const faultsByRule = new Map<number, string>();
  for (const [index, fault] of faults.entries()) {
    if (fault === null) continue;
    missed.push(index);
    faultsByRule.set(selection.rulesOfMutations[index] ?? -1, fault.message);
  }
  const seg = missed.length === 0 ? selection.segJson : selection.segJsonWithout(missed);
  return { json: bytes, seg, faultsByRule };
}

/** Field order as in CONTRACT.md; the parity with delivery is tested end to end. */
function wrap(json: Uint8Array, hash: string, caller: Caller, seg: string): Uint8Array {
  const meta = `{"uid":${caller.uid},"mod":${caller.mod},"seg":${seg}}`;
  return Buffer.concat([
    Buffer.from('{"data":'),
    json,
    Buffer.from(`,"hash":"${hash}","meta":${meta}}`),
  ]);
}
