/** What a file says, read line by line: contents and segments without their texts, and what is wrong with it. */
import { contentKey } from '../../content/content-id.js';
import type { Layers } from '../../content/layers.js';
import type { ValidationIssue } from '../../contract/problems.js';
import type { ExperimentInput } from '../../contract/schemas/experiment.js';
import type { SaltedUse } from '../contents/validate/layer-issues.js';
import { definitionOf } from '../experiments/save-metric.js';
import { importContentsMax, importFactsBytesMax } from '../limits/transfer.js';
import { faultsShownMax } from '../limits/work.js';
import { noGuards } from '../store/contents/content-guards.js';
import type { ContentAbout } from '../store/contents/contents.js';
import type { MetricDefinition } from '../store/experiments/metrics.js';
import type { Segment } from '../store/segments/segments.js';
import type { WantedState } from './content-change.js';
import type { ReadLine } from './reading/read-transfer-lines.js';
import type { ReadState } from './reading/read-transfer-state.js';

export interface ImportedContent {
  readonly idLower: string;
  readonly id: string;
  readonly about: Omit<ContentAbout, 'guards'>;
  /** JSON array; null: those that the content has stay. */
  readonly guards: string | null;
  readonly live: boolean;
  readonly state: WantedState;
  /** Saved on top of the live state. */
  draft: WantedState | null;
  /** How the state, which is not live, breaks the schema; null: it matches. */
  mismatch: string | null;
  /** Number of its line in the file. */
  readonly line: number;
}

/** `condition`: JSON text. */
export type ImportedSegment = Pick<Segment, 'name' | 'description' | 'condition'>;

export interface ImportedExperiment {
  readonly input: ExperimentInput;
  /** Number of its line in the file. */
  readonly line: number;
}

/** What a line, content or segment takes in memory beside its own words: digests, numbers, places in maps. */
const entryBytes = 400;

/** What is said about a content once a file is imported. */
export function aboutThen(
  { about, guards }: Pick<ImportedContent, 'about' | 'guards'>,
  before: ContentAbout | null,
): ContentAbout {
  return { ...about, guards: guards ?? before?.guards ?? noGuards };
}

function layersOf({
  layers = [],
  holdout = null,
}: Extract<ReadLine, { kind: 'environment' }>): Layers | null {
  return layers.length === 0 && holdout === null ? null : { layers, holdout };
}

export class ImportFile {
  readonly contents = new Map<string, ImportedContent>();
  readonly segments = new Map<string, ImportedSegment>();
  /** By name. */
  readonly metrics = new Map<string, MetricDefinition>();
  /** By id, with the numbers of their lines. */
  readonly experiments = new Map<string, ImportedExperiment>();
  readonly warnings: ValidationIssue[] = [];
  readonly issues: ValidationIssue[] = [];
  /** Saved segments that mappings refer to, with the first line that does. */
  readonly segmentsUsed = new Map<string, number>();
  /** Layers that mappings refer to, each with the salt beside it, with the first line that does. */
  readonly layersUsed = new Map<string, SaltedUse & { readonly line: number }>();
  /** That its first line names; null: none, not even that there are none. */
  layers: Layers | null = null;
  /** Of all contents and drafts together, see `writersStepOf`. */
  writersStep = 0;
  readonly #endRequired: boolean;
  #began = false;
  #first = true;
  #ended = false;
  #factsBytes = 0;

  /** @param endRequired a file without its end line, which may have been cut off, is rejected */
  constructor(endRequired: boolean) {
    this.#endRequired = endRequired;
  }

  /** Enough is wrong to stop reading. */
  get isHopeless(): boolean {
    return this.issues.length >= faultsShownMax;
  }

  /** @returns the content that the line belongs to, when the line has texts and is sound */
  add(line: ReadLine, number: number): ImportedContent | null {
    const first = this.#first;
    this.#first = false;
    if (this.#ended) {
      this.reject(number, '', 'stands after the end of the file');
      return null;
    }
    switch (line.kind) {
      case 'invalid':
        for (const { path, message, appVersion } of line.issues) {
          this.reject(number, path, message, appVersion);
        }
        return null;
      case 'environment':
        this.#began = true;
        if (!first) this.reject(number, 'kind', 'an environment line can only be the first');
        this.layers = layersOf(line);
        return null;
      case 'end':
        this.#end(line, number);
        return null;
      case 'segment':
        this.#addSegment(line, number);
        this.warn(number, line.warnings);
        return null;
      case 'metric':
        this.#addMetric(line, number);
        return null;
      case 'experiment':
        this.#addExperiment(line, number);
        return null;
      case 'content':
        this.warn(number, line.warnings);
        return this.#addContent(line, number);
      case 'draft':
        this.warn(number, line.warnings);
        return this.#addDraft(line, number);
    }
  }

  /** Call it after the last line. */
  finish(): void {
    if (this.#ended || this.isHopeless) return;
    if (this.#began || this.#endRequired) {
      const message =
        'The file has no end line: it was cut off, or it must be given one to be imported with "replace".';
      this.issues.push({ path: '', message });
    }
  }

  #end(line: Extract<ReadLine, { kind: 'end' }>, number: number): void {
    this.#ended = true;
    if (this.issues.length > 0) return;
    const { size: segments } = this.segments;
    const { size: contents } = this.contents;
    if (line.segments !== segments || line.contents !== contents) {
      const counted = `${segments} segments and ${contents} contents`;
      this.reject(number, '', `says other counts than the file has: ${counted}`);
    }
  }

  #addSegment(line: Extract<ReadLine, { kind: 'segment' }>, number: number): void {
    const { name, description, condition } = line;
    if (this.segments.has(name)) {
      this.reject(number, 'name', `the segment "${name}" stands twice`);
      return;
    }
    this.#countFacts(number, 1, name, description, condition);
    this.segments.set(name, { name, description, condition });
  }

  #addMetric({ name, metric }: Extract<ReadLine, { kind: 'metric' }>, number: number): void {
    if (this.metrics.has(name)) {
      this.reject(number, 'name', `the metric "${name}" stands twice`);
      return;
    }
    this.#countFacts(number, 1, name, metric.description);
    this.metrics.set(name, definitionOf(metric));
  }

  #addExperiment(
    { experiment: input }: Extract<ReadLine, { kind: 'experiment' }>,
    line: number,
  ): void {
    if (this.experiments.has(input.id)) {
      this.reject(line, 'experiment.id', `the experiment "${input.id}" stands twice`);
      return;
    }
    this.#countFacts(line, 1, input.hypothesis, ...input.guardMetrics);
    this.experiments.set(input.id, { input, line });
  }

  #addContent(
    line: Extract<ReadLine, { kind: 'content' }>,
    number: number,
  ): ImportedContent | null {
    const { id, description, tags, schema, guards, live, state } = line;
    const idLower = contentKey(id);
    if (this.contents.has(idLower)) {
      this.reject(number, 'id', `the content "${id}" stands twice (case does not count)`);
      return null;
    }
    if (this.contents.size >= importContentsMax) {
      this.reject(number, '', `is one of more than ${importContentsMax} contents`);
      return null;
    }
    this.#countFacts(number, 1, description, JSON.stringify(tags), schema ?? '', guards ?? '');
    const about = { description, tags, schema };
    const wanted = this.#wantedState(state, number);
    const content: ImportedContent = {
      ...{
        idLower,
        id,
        about,
        guards,
        live,
        state: wanted,
        draft: null,
        mismatch: null,
        line: number,
      },
    };
    this.contents.set(idLower, content);
    return content;
  }

  #addDraft(line: Extract<ReadLine, { kind: 'draft' }>, number: number): ImportedContent | null {
    const content = this.contents.get(contentKey(line.id));
    if (content === undefined || !content.live || content.draft !== null) {
      const message = 'a draft stands after the live content that it is for, and only once';
      this.reject(number, 'id', message);
      return null;
    }
    content.draft = this.#wantedState(line.state, number);
    return content;
  }

  #wantedState(state: ReadState, number: number): WantedState {
    const { lines, mapping, flags, segments, layers } = state;
    this.writersStep = Math.max(this.writersStep, state.writersStep);
    this.#countFacts(number, lines.length, ...segments, ...flags);
    for (const segment of segments) {
      if (!this.segmentsUsed.has(segment)) this.segmentsUsed.set(segment, number);
    }
    for (const use of layers) {
      const key = JSON.stringify([use.layer, use.salt]);
      if (this.layersUsed.has(key)) continue;
      this.#countFacts(number, 1, use.layer, use.salt ?? '');
      this.layersUsed.set(key, { ...use, line: number });
    }
    return { lines, mapping, flags, segments };
  }

  /** What is held in memory to the end: everything but the texts. */
  #countFacts(number: number, entries: number, ...texts: readonly string[]): void {
    this.#factsBytes += entries * entryBytes;
    for (const text of texts) this.#factsBytes += text.length;
    if (this.#factsBytes <= importFactsBytesMax) return;
    this.#factsBytes = 0;
    const message = `with the lines before it, has more than ${importFactsBytesMax} bytes beside the texts: import in parts`;
    this.reject(number, '', message);
  }

  /** Notes warnings of a line. */
  warn(number: number, warnings: readonly ValidationIssue[]): void {
    for (const { path, message, appVersion, code } of warnings) {
      if (this.warnings.length >= faultsShownMax) return;
      this.warnings.push({
        ...{ path, message, line: number },
        ...(appVersion !== undefined && { appVersion }),
        ...(code !== undefined && { code }),
      });
    }
  }

  /** Notes an issue of a line. */
  reject(number: number, path: string, message: string, appVersion?: string): void {
    if (this.issues.length >= faultsShownMax) return;
    const place = { line: number, ...(appVersion !== undefined && { appVersion }) };
    this.issues.push({ path, message, ...place });
  }
}
