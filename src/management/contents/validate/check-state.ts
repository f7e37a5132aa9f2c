/**
 * Checks the complete state of a content before it is committed: its mapping, the saved segments that it uses, and its
 * schema. Whatever makes a revision live (save, publish, roll back, sync, import) asks here.
 *
 * The heavy part depends on the state alone, so its result is kept by the state's digests: a worker validates an edit before
 * its transaction (`ahead`), and within the transaction `check` only looks the segments up.
 */
import { LRUCache } from 'lru-cache';
import type { Guard } from '../../../content/guards/guard.js';
import { digestOf } from '../../../content/hash.js';
import { Problem, type ValidationIssue } from '../../../contract/problems.js';
import { Findings } from '../../guards/findings.js';
import {
  type Work,
  type WorkOptions,
  WorkOverloaded,
  WorkQueueName,
  WorkTooLong,
} from '../../jobs/work.js';
import {
  heavyBytesMin,
  schemaCheckMsMax,
  schemaCheckMsPerMegabyte,
  tooCostlyKeptMs,
  validateInWriteMsMax,
  validationsKeptMax,
  workMsMax,
} from '../../limits/work.js';
import { readText } from '../../store/contents/texts.js';
import type { Db } from '../../store/dialect.js';
import { readLayers } from '../../store/layers/read-layers.js';
import { newestSegmentRevision } from '../../store/segments/segment-revisions.js';
import { findSegment } from '../../store/segments/segments.js';
import type { Store } from '../../store/store.js';
import type { UnitOfWork } from '../../store/unit-of-work.js';
import type { ContentState } from '../content-state.js';
import { anonymousWarning } from '../warnings/anonymous-warning.js';
import type { AttributeUse } from '../warnings/attribute-uses.js';
import { interferenceWarnings } from '../warnings/interference-warnings.js';
import { type ComparedState, LiveTests } from '../warnings/live-tests.js';
import { layerIssues } from './layer-issues.js';
import {
  bounded,
  type PlainProblem,
  type StateToValidate,
  type StateValidation,
  validateState,
} from './validate-state.js';

/** A state and the schema of its content, which all its revisions share. */
export interface CheckableState extends ComparedState {
  /** JSON text, or null. */
  readonly schema: string | null;
  /** Of its content, as the schema is. */
  readonly guards: readonly Guard[];
}

/** Whether a state that does not match its schema is rejected, or may be saved as long as no player gets it. */
export const Strictness = { Live: 'live', Draft: 'draft' } as const;
export type Strictness = (typeof Strictness)[keyof typeof Strictness];

/** Conditions of segments by name, JSON text: they stand in front of the saved ones. */
export type SegmentOverlay = ReadonlyMap<string, string>;

const noOverlay: SegmentOverlay = new Map();

/** Where a state's rules get their conditions from, and what it adds to the flags of its environment. */
export interface StateUses {
  /** That its own conditions read. */
  readonly attributes: readonly AttributeUse[];
  /** Saved segments, each with the first rule that names it. */
  readonly segments: readonly { readonly rule: number; readonly segment: string }[];
  /** How many it lists. */
  readonly flags: number;
}

/** What a state needs and what its author should know. */
export interface CheckedState {
  readonly segments: readonly string[];
  readonly warnings: readonly ValidationIssue[];
  readonly uses: StateUses;
}

interface SettledState extends Omit<CheckedState, 'uses'> {
  readonly uses: Omit<StateUses, 'flags'>;
}

/** Of a state without a mapping and a schema, and of one that is not delivered. */
export const nothingChecked: CheckedState = {
  segments: [],
  warnings: [],
  uses: { attributes: [], segments: [], flags: 0 },
};

/** One per server: it remembers validations. */
export class StateChecks {
  /** What the values of a state would do to players. */
  readonly findings: Findings;
  readonly #work: Work;
  readonly #tests: LiveTests;
  readonly #now: () => number;
  readonly #results = new LRUCache<string, StateValidation | Problem>({ max: validationsKeptMax });

  /** @param now milliseconds since the epoch: which tests run */
  constructor(work: Work, now: () => number = Date.now) {
    this.#work = work;
    this.#tests = new LiveTests(work, now);
    this.#now = now;
    this.findings = new Findings(work, now);
  }

  /**
   * Rejects a mapping that is invalid, uses segments that are not saved, or mutates nothing of these lines, and contents
   * that do not match their schema; of a draft, that is a warning.
   * @param overlay segments that will be saved together with the state
   * @throws WorkFailed
   */
  async check(
    db: Db,
    environment: string,
    state: CheckableState,
    strictness: Strictness = Strictness.Live,
    overlay: SegmentOverlay = noOverlay,
  ): Promise<CheckedState | Problem> {
    if (isEmpty(state)) return nothingChecked;
    const key = keyOf(state);
    const validation = this.#results.get(key) ?? (await this.#validate(key, await load(db, state)));
    return this.#settle(db, environment, state, validation, strictness, overlay);
  }

  /**
   * The same within a write, for which all others wait: a state that was not validated ahead, because another edit came
   * in between, gets a moment for it.
   */
  async checkInWrite(
    write: UnitOfWork,
    environment: string,
    state: CheckableState,
    strictness: Strictness = Strictness.Live,
  ): Promise<CheckedState | Problem> {
    const isKnown = isEmpty(state) || this.#results.has(keyOf(state));
    const input = isKnown ? null : await load(write.db, state);
    if (input === null || !isHeavy(input)) {
      return this.check(write.db, environment, state, strictness);
    }
    try {
      const validation = await this.#run(input, { timeMsMax: validateInWriteMsMax, waitMsMax: 0 });
      return this.#settle(write.db, environment, state, validation, strictness);
    } catch (error) {
      if (error instanceof WorkTooLong || error instanceof WorkOverloaded) return editedMeanwhile();
      throw error;
    }
  }

  /**
   * Validates a state while no transaction is held: it may take a worker seconds.
   * @param find the state that is about to be checked; null: there is nothing to check
   */
  async ahead(store: Store, find: (db: Db) => Promise<CheckableState | null>): Promise<void> {
    const found = await store.read(async (db) => {
      const state = await find(db);
      if (state === null || isEmpty(state)) return null;
      const key = keyOf(state);
      const mappings = await this.#tests.load(db, state);
      const input = this.#results.has(key) ? null : await load(db, state);
      return { key, input, mappings };
    });
    if (found === null) return;
    if (found.input !== null) await this.#validate(found.key, found.input);
    try {
      await this.#tests.ahead(found.mappings);
    } catch (error) {
      // A warning is no reason to reject a save: it is left out.
      if (!(error instanceof WorkTooLong || error instanceof WorkOverloaded)) throw error;
    }
  }

  async #validate(key: string, input: StateToValidate): Promise<StateValidation | Problem> {
    const validation = isHeavy(input)
      ? await this.#validateInWorker(input)
      : await validateState(input);
    // Whether it took too long was this moment's doing as well: it may be tried again.
    const keep = validation instanceof Problem ? { ttl: tooCostlyKeptMs } : {};
    this.#results.set(key, validation, keep);
    return validation;
  }

  async #validateInWorker(input: StateToValidate): Promise<StateValidation | Problem> {
    const timeMsMax = timeMsMaxOf(input);
    try {
      return await this.#run(input, { timeMsMax });
    } catch (error) {
      if (!(error instanceof WorkTooLong)) throw error;
      return tooCostly(input, timeMsMax);
    }
  }

  #run(input: StateToValidate, options: WorkOptions): Promise<StateValidation> {
    const queue = input.schema === null ? WorkQueueName.Ordinary : WorkQueueName.Schema;
    return this.#work.run('validateState', input, { ...options, queue });
  }

  async #settle(
    db: Db,
    environment: string,
    state: CheckableState,
    validation: StateValidation | Problem,
    strictness: Strictness,
    overlay: SegmentOverlay = noOverlay,
  ): Promise<CheckedState | Problem> {
    const { length: flags } = state.flags;
    const settled = await settle(db, environment, validation, strictness, overlay);
    if (settled instanceof Problem) return settled;
    const moved = bounded(await this.#tests.warnings(db, state));
    const hasPairs = !(validation instanceof Problem) && validation.tests > 1;
    const interfering = hasPairs
      ? await interferenceWarnings(
          db,
          environment,
          state,
          { segments: settled.segments, overlay },
          this.#now(),
        )
      : [];
    const uses = { ...settled.uses, flags };
    return { ...settled, uses, warnings: [...settled.warnings, ...moved, ...bounded(interfering)] };
  }
}

/** Nothing of it can be invalid, or call for a warning. */
function isEmpty({ mapping, schema, flags }: CheckableState): boolean {
  return mapping === null && schema === null && flags.length === 0;
}

function editedMeanwhile(): Problem {
  const detail =
    'The content was edited meanwhile, and checking it again takes longer than others are to wait for it: try again.';
  return new Problem('overloaded', detail);
}

function timeMsMaxOf({ lines, schema }: StateToValidate): number {
  if (schema === null) return workMsMax;
  const megabytes = bytesOf(lines) / 1024 / 1024;
  return schemaCheckMsMax + Math.round(megabytes) * schemaCheckMsPerMegabyte;
}

function bytesOf(lines: StateToValidate['lines']): number {
  return lines.reduce((sum, { text }) => sum + text.byteLength, 0);
}

function tooCostly({ schema }: StateToValidate, timeMsMax: number): Problem {
  const seconds = timeMsMax / 1_000;
  const detail =
    schema === null
      ? `Trying the mapping takes longer than ${seconds} s: it has too many rules for lines this large.`
      : `Checking the content against its schema takes longer than ${seconds} s: look for a "pattern" that backtracks, or for a schema that is too large for this content.`;
  return new Problem('too_costly', detail, [
    { path: schema === null ? 'mapping' : 'schema', message: `takes longer than ${seconds} s` },
  ]);
}

/** A schema is always for a worker: its patterns are somebody's own, and may never end. */
function isHeavy({ lines, mapping, schema, flags }: StateToValidate): boolean {
  if (schema !== null) return true;
  const perLine = (mapping?.byteLength ?? 0) + flags.reduce((sum, { length }) => sum + length, 0);
  return bytesOf(lines) + perLine * lines.length >= heavyBytesMin;
}

function keyOf({ lines, mapping, schema, flags }: CheckableState): string {
  const parts = lines.map(({ version, textDigest }) => `${version} ${textDigest}`);
  const schemaDigest = schema === null ? '' : digestOf(Buffer.from(schema));
  const flagsText = JSON.stringify(flags);
  return digestOf(Buffer.from([mapping ?? '', schemaDigest, flagsText, ...parts].join('\n')));
}

async function load(db: Db, state: CheckableState): Promise<StateToValidate> {
  const { mapping, schema, flags } = state;
  const lines: { version: string; text: Uint8Array }[] = [];
  for (const { version, textDigest } of state.lines) {
    lines.push({ version, text: await textOf(db, state, textDigest) });
  }
  const mappingText = mapping === null ? null : await textOf(db, state, mapping);
  return { lines, mapping: mappingText, schema, flags };
}

async function textOf(db: Db, state: ContentState, digest: string): Promise<Uint8Array> {
  return state.texts.get(digest) ?? (await readText(db, digest));
}

/** What depends on where the state goes: whether the saved segments are there, whom they admit to a test, who gets it. */
async function settle(
  db: Db,
  environment: string,
  validation: StateValidation | Problem,
  strictness: Strictness,
  overlay: SegmentOverlay,
): Promise<SettledState | Problem> {
  if (validation instanceof Problem) return validation;
  const { mismatch } = validation;
  const problem = validation.problem ?? (strictness === Strictness.Draft ? null : mismatch);
  if (problem !== null) return new Problem(problem.code, problem.detail, problem.errors);
  const warnings = [...mismatchWarnings(mismatch), ...validation.warnings];
  const segments = new Map<string, number>();
  const errors: ValidationIssue[] = [];
  const anonymous: ValidationIssue[] = [];
  for (const { rule, segment, anonymousVariant } of validation.segments) {
    if (segments.has(segment) && anonymousVariant === null) continue;
    const condition =
      overlay.get(segment) ?? (await findSegment(db, environment, segment))?.condition ?? null;
    if (condition === null && !segments.has(segment)) {
      const isDraft =
        strictness === Strictness.Draft && (await hasRevision(db, environment, segment));
      if (isDraft) warnings.push(notLive(rule, segment));
      else errors.push(notSaved(rule, segment, environment));
    }
    if (!segments.has(segment)) segments.set(segment, rule);
    if (condition === null || anonymousVariant === null) continue;
    const test = { segment, variant: anonymousVariant };
    const warning = anonymousWarning(rule, test, JSON.parse(condition), 'segment');
    if (warning !== null) anonymous.push(warning);
  }
  if (validation.layers.length > 0) {
    errors.push(...layerIssues(validation.layers, await readLayers(db, environment)));
  }
  if (errors.length > 0) {
    const detail = 'The mapping uses segments or layers that the environment does not have.';
    return new Problem('invalid_mapping', detail, errors);
  }
  return {
    segments: [...segments.keys()],
    warnings: [...warnings, ...bounded(anonymous)],
    uses: {
      attributes: validation.attributes,
      segments: [...segments].map(([segment, rule]) => ({ rule, segment })),
    },
  };
}

function notSaved(rule: number, segment: string, environment: string): ValidationIssue {
  const message = `"${segment}" is not saved in "${environment}": save it, or give the rule a "when"`;
  return { path: `mapping[${rule}].segment`, message };
}

/** A draft may name it; both go live together with a release. */
function notLive(rule: number, segment: string): ValidationIssue {
  const message = `the segment "${segment}" is saved and not live: the draft cannot be published without it`;
  return { path: `mapping[${rule}].segment`, message };
}

async function hasRevision(db: Db, environment: string, segment: string): Promise<boolean> {
  // PostgreSQL cannot be asked for this, and no segment is called so.
  if (segment.includes('\0')) return false;
  return (await newestSegmentRevision(db, environment, segment)) > 0;
}

/** The mismatches of a draft, marked as what prevents publishing it. */
export function mismatchWarnings(mismatch: PlainProblem | null): ValidationIssue[] {
  return (mismatch?.errors ?? []).map((issue) => ({ ...issue, code: 'schema_mismatch' }));
}
