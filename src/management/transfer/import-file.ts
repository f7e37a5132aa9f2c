/** What a file says, read line by line: contents and segments without their texts, and what is wrong with it. */
import { contentKey } from '../../content/content-id.js';
import type { ValidationIssue } from '../../contract/problems.js';
import { faultsShownMax, importContentsMax, importFactsBytesMax } from '../limits.js';
import type { ContentAbout } from '../store/contents/contents.js';
import type { WantedState } from './content-change.js';
import type { ReadLine } from './read-transfer-lines.js';
import type { ReadState } from './read-transfer-state.js';

export interface ImportedContent {
  readonly idLower: string;
  readonly id: string;
  readonly about: ContentAbout;
  readonly live: boolean;
  readonly state: WantedState;
  /** Saved on top of the live state. */
  draft: WantedState | null;
  /** How the state, which is not live, breaks the schema; null: it matches. */
  mismatch: string | null;
  /** Number of its line in the file. */
  readonly line: number;
}

export interface ImportedSegment {
  readonly name: string;
  readonly description: string;
  /** JSON text. */
  readonly condition: string;
}

/** How a file is read as a whole. */
export interface ImportFileRules {
  /** A file that says nothing of its end may have been cut off. */
  readonly endRequired: boolean;
}

/** What a line, content or segment takes in memory beside its own words: digests, numbers, places in maps. */
const entryBytes = 400;

export class ImportFile {
  readonly contents = new Map<string, ImportedContent>();
  readonly segments = new Map<string, ImportedSegment>();
  readonly warnings: ValidationIssue[] = [];
  readonly faults: ValidationIssue[] = [];
  /** Saved segments that mappings refer to, with the first line that does. */
  readonly segmentsUsed = new Map<string, number>();
  readonly #rules: ImportFileRules;
  #began = false;
  #first = true;
  #ended = false;
  #factsBytes = 0;

  constructor(rules: ImportFileRules) {
    this.#rules = rules;
  }

  /** Enough is wrong to stop reading. */
  get isHopeless(): boolean {
    return this.faults.length >= faultsShownMax;
  }

  /** @returns the content that the line belongs to, when the line has texts and is sound */
  add(line: ReadLine, number: number): ImportedContent | null {
    const first = this.#first;
    this.#first = false;
    if (this.#ended) {
      this.#refuse(number, '', 'stands after the end of the file');
      return null;
    }
    switch (line.kind) {
      case 'faulty':
        for (const { path, message, appVersion } of line.faults) {
          this.#refuse(number, path, message, appVersion);
        }
        return null;
      case 'environment':
        this.#began = true;
        if (!first) this.#refuse(number, 'kind', 'an environment line can only be the first');
        return null;
      case 'end':
        this.#end(line, number);
        return null;
      case 'segment':
        this.#addSegment(line, number);
        this.#warn(number, line.warnings);
        return null;
      case 'content':
        this.#warn(number, line.warnings);
        return this.#addContent(line, number);
      case 'draft':
        this.#warn(number, line.warnings);
        return this.#addDraft(line, number);
    }
  }

  /** Call it after the last line. */
  finish(): void {
    if (this.#ended || this.isHopeless) return;
    if (this.#began || this.#rules.endRequired) {
      const message =
        'The file has no end line: it was cut off, or it must be given one to be imported with "replace".';
      this.faults.push({ path: '', message });
    }
  }

  /** Notes a fault that was found by looking at more than the line. */
  refuse(number: number, path: string, message: string): void {
    this.#refuse(number, path, message);
  }

  /** The same for what nothing is refused for. */
  warn(number: number, warnings: readonly ValidationIssue[]): void {
    this.#warn(number, warnings);
  }

  #end(line: Extract<ReadLine, { kind: 'end' }>, number: number): void {
    this.#ended = true;
    if (this.faults.length > 0) return;
    const { size: segments } = this.segments;
    const { size: contents } = this.contents;
    if (line.segments !== segments || line.contents !== contents) {
      const counted = `${segments} segments and ${contents} contents`;
      this.#refuse(number, '', `says other counts than the file has: ${counted}`);
    }
  }

  #addSegment(line: Extract<ReadLine, { kind: 'segment' }>, number: number): void {
    const { name, description, condition } = line;
    if (this.segments.has(name)) {
      this.#refuse(number, 'name', `the segment "${name}" stands twice`);
      return;
    }
    this.#countFacts(number, 1, name, description, condition);
    this.segments.set(name, { name, description, condition });
  }

  #addContent(
    line: Extract<ReadLine, { kind: 'content' }>,
    number: number,
  ): ImportedContent | null {
    const { id, description, tags, schema, live, state } = line;
    const idLower = contentKey(id);
    if (this.contents.has(idLower)) {
      this.#refuse(number, 'id', `the content "${id}" stands twice (case does not count)`);
      return null;
    }
    if (this.contents.size >= importContentsMax) {
      this.#refuse(number, '', `is one of more than ${importContentsMax} contents`);
      return null;
    }
    this.#countFacts(number, 1, description, JSON.stringify(tags), schema ?? '');
    const about = { description, tags, schema };
    const wanted = this.#wantedState(state, number);
    const content: ImportedContent = {
      ...{ idLower, id, about, live, state: wanted, draft: null },
      ...{ mismatch: null, line: number },
    };
    this.contents.set(idLower, content);
    return content;
  }

  #addDraft(line: Extract<ReadLine, { kind: 'draft' }>, number: number): ImportedContent | null {
    const content = this.contents.get(contentKey(line.id));
    if (content === undefined || !content.live || content.draft !== null) {
      const message = 'a draft stands after the live content that it is for, and only once';
      this.#refuse(number, 'id', message);
      return null;
    }
    content.draft = this.#wantedState(line.state, number);
    return content;
  }

  #wantedState({ lines, mapping, segments }: ReadState, number: number): WantedState {
    this.#countFacts(number, lines.length, ...segments);
    for (const segment of segments) {
      if (!this.segmentsUsed.has(segment)) this.segmentsUsed.set(segment, number);
    }
    return { lines, mapping, segments };
  }

  /** What is held in memory to the end: everything but the texts. */
  #countFacts(number: number, entries: number, ...texts: readonly string[]): void {
    this.#factsBytes += entries * entryBytes;
    for (const text of texts) this.#factsBytes += text.length;
    if (this.#factsBytes <= importFactsBytesMax) return;
    this.#factsBytes = 0;
    const message = `with the lines before it, has more than ${importFactsBytesMax} bytes beside the texts: import in parts`;
    this.#refuse(number, '', message);
  }

  #warn(number: number, warnings: readonly ValidationIssue[]): void {
    for (const { path, message, appVersion, code } of warnings) {
      if (this.warnings.length >= faultsShownMax) return;
      this.warnings.push({
        ...{ path, message, line: number },
        ...(appVersion !== undefined && { appVersion }),
        ...(code !== undefined && { code }),
      });
    }
  }

  #refuse(number: number, path: string, message: string, appVersion?: string): void {
    if (this.faults.length >= faultsShownMax) return;
    const place = { line: number, ...(appVersion !== undefined && { appVersion }) };
    this.faults.push({ path, message, ...place });
  }
}
