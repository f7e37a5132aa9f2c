/** A published content as a request meets it: its plan, and the keys under which its bodies are cached. */
import type { Caller } from '../content/caller.js';
import type { Condition } from '../content/condition/condition.js';
import { ContentPlan, type PlanLine, type Selection } from '../content/content-plan.js';
import { parseMapping, type Rule } from '../content/mapping/mapping.js';
import { parseVersion, type Version } from '../content/version.js';
import type { ContentRow } from '../published/reader.js';
import type { PublishedLineRow } from '../published/schema.js';
import type { Form, RenderTask } from './render-task.js';

/** One body that a request may ask for. Everything in it is the same for every caller who is given it. */
export interface Choice {
  readonly content: ServedContent;
  readonly line: PlanLine;
  readonly selection: Selection | null;
  /** Length of the unmutated body. */
  readonly bytes: number;
}

const noRules: readonly Rule[] = [];

export class ServedContent {
  readonly id: string;
  readonly plan: ContentPlan;
  /** Its entry in the catalog: `"id":{"h":"…","d":…}`. */
  readonly catalogEntry: string;
  readonly #row: ContentRow;
  readonly #rules: readonly Rule[];

  /** @throws when the mapping does not parse: management checks it, so the file is not what it wrote. */
  constructor(row: ContentRow, savedCondition: (segment: string) => Condition | undefined) {
    this.id = row.id;
    this.#row = row;
    this.#rules = row.mapping === null ? noRules : rulesOf(row.mapping);
    this.plan = new ContentPlan(row.id, row.lines.map(planLine), this.#rules, savedCondition);
    const highest = row.lines.at(-1);
    this.catalogEntry = `${JSON.stringify(row.id)}:{"h":"${highest?.hash ?? ''}","d":${this.plan.dynamic}}`;
  }

  /** The same content after a change of the saved segments. */
  withSegments(savedCondition: (segment: string) => Condition | undefined): ServedContent {
    return new ServedContent(this.#row, savedCondition);
  }

  usesSegment(name: string): boolean {
    return this.#rules.some((rule) => rule.condition === null && rule.segment === name);
  }

  /**
   * The line for the caller's version and, for wrapped delivery, what the mapping makes of it.
   * Null: no line admits the version.
   */
  choose(caller: Caller, wrapped: boolean, nowMs: number): Choice | null {
    const line = this.plan.line(caller.version);
    if (line === null) return null;
    const selection = wrapped ? this.plan.select(caller, nowMs) : null;
    const bytes = this.#row.lines.find((row) => row.digest === line.digest)?.bytes ?? 0;
    return { content: this, line, selection, bytes };
  }

  /** What identifies a rendered body: two contents with equal JSON and equal mutations share it. */
  renderKey(choice: Choice, form: Form, gzip: boolean): string {
    const mutations = choice.selection?.mutationsKey ?? '';
    return `${form}${gzip ? 'g' : 'r'}${choice.line.digest}${mutations}`;
  }

  renderTask(choice: Choice, form: Form, gzip: boolean): RenderTask {
    const { line, selection } = choice;
    const mutates = selection !== null && selection.mutationsKey !== '';
    return {
      bodyDigest: line.digest,
      hash: line.hash,
      mappingDigest: mutates ? this.#row.mappingDigest : '',
      choices: mutates ? selection.choices : [],
      form,
      gzip,
    };
  }
}

function rulesOf(mapping: Uint8Array): readonly Rule[] {
  const parsed = parseMapping(mapping);
  if (!parsed.ok) throw new Error('A published mapping does not parse.');
  return parsed.rules;
}

function planLine(row: PublishedLineRow): PlanLine {
  const version: Version | null = parseVersion(row.version);
  if (version === null) throw new Error('A published line has no valid version.');
  return { version, versionText: row.version, digest: row.digest, hash: row.hash };
}
