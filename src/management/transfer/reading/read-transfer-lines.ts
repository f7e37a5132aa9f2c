/** Reads lines of an import and checks each as a save of it would be, except for what depends on other lines. */
import { schemaBytesMax, segmentBytesMax } from '../../../contract/limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import {
  type ContentLine,
  type DraftLine,
  type SegmentLine,
  type TransferLine,
  transferLineSchema,
} from '../../../contract/schemas/transfer-line.js';
import { parseLine } from '../../parse-line.js';
import { checkCondition } from '../../segments/check-condition.js';
import {
  parseText,
  type ReadState,
  readState,
  type TextLimits,
  valueText,
} from './read-transfer-state.js';

export interface ReadTransferLines extends TextLimits {
  /** Lines without their line feeds, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each line ends in `bytes`. */
  readonly ends: readonly number[];
}

/** Warnings are of what is valid but probably a mistake. JSON members are JSON text. */
export type ReadLine =
  | { readonly kind: 'invalid'; readonly issues: readonly ValidationIssue[] }
  | Extract<TransferLine, { kind: 'environment' | 'metric' | 'experiment' | 'end' }>
  | (Omit<SegmentLine, 'when'> & { readonly condition: string } & Warned)
  | (Omit<ContentLine, 'lines' | 'mapping' | 'flags' | 'schema' | 'guards'> & {
      readonly schema: string | null;
      /** Null: the file names none, not even that there are none. */
      readonly guards: string | null;
    } & Stateful)
  | (Omit<DraftLine, 'lines' | 'mapping' | 'flags'> & Stateful);

interface Warned {
  readonly warnings: readonly ValidationIssue[];
}

interface Stateful extends Warned {
  readonly state: ReadState;
}

/** One result a line, in their order. */
export async function readTransferLines(input: ReadTransferLines): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  let start = 0;
  for (const end of input.ends) {
    read.push(await readLine(input.bytes.subarray(start, end), input));
    start = end;
  }
  return read;
}

async function readLine(bytes: Uint8Array, limits: ReadTransferLines): Promise<ReadLine> {
  const parsed = parseLine(transferLineSchema, bytes);
  if ('issues' in parsed) return { kind: 'invalid', issues: parsed.issues };
  const line = parsed.value;
  switch (line.kind) {
    case 'environment':
    case 'metric':
    case 'experiment':
    case 'end':
      return line;
    case 'segment':
      return readSegment(line, bytes);
    case 'content':
      return readContent(line, bytes, limits);
    case 'draft': {
      const { state, issues, warnings } = await readState(line, bytes, limits);
      if (issues.length > 0) return { kind: 'invalid', issues };
      return { kind: 'draft', id: line.id, state, warnings };
    }
  }
}

function readSegment({ when, ...line }: SegmentLine, bytes: Uint8Array): ReadLine {
  const condition = valueText(when, bytes, 'when') ?? '';
  if (Buffer.byteLength(condition) > segmentBytesMax) {
    return invalid('when', `is larger than ${segmentBytesMax} bytes`);
  }
  if (!isObject(parseText(condition))) {
    return invalid('when', 'must be the JSON text of an object');
  }
  const { issues, warnings } = checkCondition(condition);
  if (issues.length > 0) return { kind: 'invalid', issues };
  return { ...line, condition, warnings };
}

async function readContent(
  line: ContentLine,
  bytes: Uint8Array,
  limits: ReadTransferLines,
): Promise<ReadLine> {
  const { state, issues, warnings } = await readState(line, bytes, limits);
  const schema = line.schema === null ? null : valueText(line.schema, bytes, 'schema');
  if (schema !== null) {
    const value = parseText(schema);
    if (Buffer.byteLength(schema) > schemaBytesMax) {
      issues.push({ path: 'schema', message: `is larger than ${schemaBytesMax} bytes` });
    } else if (!isObject(value) && typeof value !== 'boolean') {
      issues.push({ path: 'schema', message: 'must be the JSON text of an object or a boolean' });
    }
  }
  if (issues.length > 0) return { kind: 'invalid', issues };
  const { id, description, tags, live } = line;
  const guards = line.guards === undefined ? null : JSON.stringify(line.guards);
  return { kind: 'content', id, description, tags, schema, guards, live, state, warnings };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(path: string, message: string): ReadLine {
  return { kind: 'invalid', issues: [{ path, message }] };
}
