/** Short forms for the kernel's tests: text in, text out. */

import { indexDocument, type JsonDocument } from '../../../../src/content/json/document.js';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import {
  compileMutation,
  type Mutation,
  MutationIssue,
  type MutationKind,
} from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';

export function strip(text: string | Uint8Array, levelsMax = 1_000): string {
  const json = stripJsonc(typeof text === 'string' ? Buffer.from(text) : text, levelsMax);
  if (json instanceof TextIssue) throw new Error(`${json.line}:${json.column} ${json.message}`);
  return Buffer.from(json).toString('utf8');
}

export function faultOf(text: string | Uint8Array, levelsMax = 1_000): TextIssue {
  const fault = stripJsonc(typeof text === 'string' ? Buffer.from(text) : text, levelsMax);
  if (!(fault instanceof TextIssue)) throw new Error('this text was not refused');
  return fault;
}

export function documentOf(text: string): JsonDocument {
  return indexDocument(Buffer.from(strip(text)));
}

export function mutationOf(kind: MutationKind, value: string): Mutation {
  const mutation = compileMutation(kind, documentOf(value));
  if (mutation instanceof MutationIssue) throw new Error(mutation.message);
  return mutation;
}

/** The compile-time fault of a mutation. */
export function refusalOf(kind: MutationKind, value: string): MutationIssue {
  const fault = compileMutation(kind, documentOf(value));
  if (!(fault instanceof MutationIssue)) throw new Error('this mutation was not refused');
  return fault;
}

export function apply(kind: MutationKind, text: string, value: string, bytesMax = 1e6): string {
  const { bytes, issues } = splice(documentOf(text), [mutationOf(kind, value)], bytesMax);
  if (issues[0]) throw new Error(issues[0].message);
  return Buffer.from(bytes).toString('utf8');
}

export const merge = (text: string, value: string): string => apply('merge', text, value);
export const patch = (text: string, value: string): string => apply('patch', text, value);

/** Why a patch cannot apply to a text; checks that the text stays as it was. */
export function missOf(text: string, value: string, bytesMax = 1e6): MutationIssue {
  const document = documentOf(text);
  const { bytes, issues } = splice(document, [mutationOf('patch', value)], bytesMax);
  const fault = issues[0];
  if (!fault) throw new Error('this patch applied');
  if (Buffer.compare(bytes, document.bytes) !== 0)
    throw new Error('a patch that missed left a trace');
  return fault;
}
