/** Reads lines of an import and checks each as a save of it would be, except for what depends on other lines. */
import { isUtf8 } from 'node:buffer';
import { compileCondition } from '../../content/condition/condition.js';
import { schemaBytesMax, segmentBytesMax } from '../../contract/limits.js';
import type { ValidationIssue } from '../../contract/problems.js';
import {
  type ContentLine,
  type SegmentLine,
  type TransferLine,
  transferLineSchema,
} from '../../contract/schemas/transfer-line.js';
import { blankWarnings } from '../contents/warnings/blank-warnings.js';
import {
  parseText,
  type ReadState,
  readState,
  type TextLimits,
  textOf,
  valueText,
} from './read-transfer-state.js';

export interface ReadTransferLines extends TextLimits {
  /** Lines without their line feeds, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each line ends in `bytes`. */
  readonly ends: readonly number[];
}

export type ReadLine =
  | { readonly kind: 'faulty'; readonly faults: readonly ValidationIssue[] }
  | { readonly kind: 'environment' }
  | { readonly kind: 'end'; readonly segments: number; readonly contents: number }
  | {
      readonly kind: 'segment';
      readonly name: string;
      readonly description: string;
      /** JSON text. */
      readonly condition: string;
      readonly warnings: readonly ValidationIssue[];
    }
  | {
      readonly kind: 'content';
      readonly id: string;
      readonly description: string;
      readonly tags: readonly string[];
      /** JSON text, or null. */
      readonly schema: string | null;
      readonly live: boolean;
      readonly state: ReadState;
      readonly warnings: readonly ValidationIssue[];
    }
  | {
      readonly kind: 'draft';
      readonly id: string;
      readonly state: ReadState;
      readonly warnings: readonly ValidationIssue[];
    };

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
  const line = parseLine(bytes);
  if ('faults' in line) return { kind: 'faulty', faults: line.faults };
  switch (line.kind) {
    case 'environment':
      return { kind: 'environment' };
    case 'end':
      return line;
    case 'segment':
      return readSegment(line, bytes);
    case 'content':
      return readContent(line, bytes, limits);
    case 'draft': {
      const { state, faults, warnings } = await readState(line, bytes, limits);
      if (faults.length > 0) return { kind: 'faulty', faults };
      return { kind: 'draft', id: line.id, state, warnings };
    }
  }
}

function parseLine(
  bytes: Uint8Array,
): TransferLine | { readonly faults: readonly ValidationIssue[] } {
  if (!isUtf8(bytes)) return oneFault('', 'The line is not UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch (error) {
    return oneFault('', `The line is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const parsed = transferLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return {
    faults: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  };
}

function readSegment(line: SegmentLine, bytes: Uint8Array): ReadLine {
  const condition = valueText(line.when, bytes, 'when') ?? '';
  if (Buffer.byteLength(condition) > segmentBytesMax) {
    return faulty('when', `is larger than ${segmentBytesMax} bytes`);
  }
  const value = parseText(condition);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return faulty('when', 'must be the JSON text of an object');
  }
  const warnings: ValidationIssue[] = [];
  const compiled = compileCondition(value, warnings);
  if (typeof compiled !== 'function') return { kind: 'faulty', faults: compiled };
  warnings.push(...blankWarnings(value, 'when'));
  return { kind: 'segment', name: line.name, description: line.description, condition, warnings };
}

async function readContent(
  line: ContentLine,
  bytes: Uint8Array,
  limits: ReadTransferLines,
): Promise<ReadLine> {
  const { state, faults, warnings } = await readState(line, bytes, limits);
  const schema = line.schema === null ? null : valueText(line.schema, bytes, 'schema');
  if (schema !== null) {
    if (Buffer.byteLength(schema) > schemaBytesMax) {
      faults.push({ path: 'schema', message: `is larger than ${schemaBytesMax} bytes` });
    } else if (!isSchema(parseText(schema))) {
      faults.push({ path: 'schema', message: 'must be the JSON text of an object or a boolean' });
    }
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  const { id, description, tags, live } = line;
  return { kind: 'content', id, description, tags, schema, live, state, warnings };
}

function isSchema(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject || typeof value === 'boolean';
}

function faulty(path: string, message: string): ReadLine {
  return { kind: 'faulty', faults: [{ path, message }] };
}

function oneFault(path: string, message: string): { readonly faults: readonly ValidationIssue[] } {
  return { faults: [{ path, message }] };
}
