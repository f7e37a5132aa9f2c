/** Formats problems of the admin API (RFC 9457) as a few lines of text. */

import type { Finding } from '../../contract/schemas/guard.js';
import { oneLine, printNote } from '../terminal/output.js';
import { nextStepAfter } from './next-step.js';

/** One issue of the input; `line` and `column` count from 1. */
export interface ProblemError {
  readonly path?: string | undefined;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
  /** Of a conflict: what was saved in the meantime, newest first. */
  readonly between?: readonly ProblemSave[];
  /** Of findings: what confirms them, and the first of them. */
  readonly digest?: string;
  readonly warnings?: readonly Finding[];
}

interface ProblemSave {
  readonly revision: number;
  readonly author: string;
  readonly createdAt: string;
  readonly note: string;
  readonly live: boolean;
}

/** The problem in the body of a response, or null when the body is something else. */
export function parseProblem(text: string): Problem | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const problem = value as Partial<Problem>;
  const complete = typeof problem.title === 'string' && typeof problem.status === 'number';
  return complete ? (value as Problem) : null;
}

/** `title: detail`, then one indented line for each error, for each save that came in between, and for what to do next. */
export function formatProblem(problem: Problem): string {
  const head = problem.detail === undefined ? problem.title : `${problem.title}: ${problem.detail}`;
  const errors = (problem.errors ?? []).map(formatProblemError);
  const saves = (problem.between ?? []).map(formatSave);
  const findings = (problem.warnings ?? []).map(formatFinding);
  const digest = problem.digest === undefined ? [] : [`digest: ${problem.digest}`];
  const next = nextStepAfter(problem.code) ?? [];
  const lines = [...errors, ...saves, ...findings, ...digest].concat(next);
  return [oneLine(head), ...lines.map((line) => `  ${line}`)].join('\n');
}

/** `revision 4 (live), by ada at 2026-01-01T00:00:00.000Z: note`. */
function formatSave({ revision, author, createdAt, note, live }: ProblemSave): string {
  const state = live ? ' (live)' : '';
  const why = note === '' ? '' : `: ${note}`;
  return oneLine(`revision ${revision}${state}, by ${author} at ${createdAt}${why}`);
}

function formatFinding({ content, path, message }: Finding): string {
  return oneLine(`${content}${path}: ${message}`);
}

/** `path: message (line L, column C)`, as far as they are known. */
export function formatProblemError(error: ProblemError): string {
  const path = error.path === undefined || error.path === '' ? '' : `${error.path}: `;
  const column = error.column === undefined ? '' : `, column ${error.column}`;
  const place = error.line === undefined ? '' : ` (line ${error.line}${column})`;
  return oneLine(`${path}${error.message}${place}`);
}

/** On stderr, because warnings are not part of the result: a mutation that misses one of the lines may be intended. */
export function printWarnings(warnings: readonly ProblemError[]): void {
  for (const warning of warnings) printNote(`warning: ${formatProblemError(warning)}`);
}
