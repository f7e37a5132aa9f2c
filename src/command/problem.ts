/** Words for people what the admin API refused: RFC 9457 problem details in, a few lines of text out. */

import { oneLine } from './output.js';

/** One fault of the input; `line` and `column` count from 1. */
export interface ProblemError {
  readonly path?: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly ProblemError[];
}

/** The problem in the body of a refusal, or null when the body is something else. */
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

/** `title: detail`, then one indented line for each error. */
export function formatProblem(problem: Problem): string {
  const head = problem.detail === undefined ? problem.title : `${problem.title}: ${problem.detail}`;
  const errors = problem.errors ?? [];
  return [oneLine(head), ...errors.map((error) => `  ${formatProblemError(error)}`)].join('\n');
}

/** `path: message (line L, column C)`, as far as they are known. */
export function formatProblemError(error: ProblemError): string {
  const path = error.path === undefined || error.path === '' ? '' : `${error.path}: `;
  const column = error.column === undefined ? '' : `, column ${error.column}`;
  const place = error.line === undefined ? '' : ` (line ${error.line}${column})`;
  return oneLine(`${path}${error.message}${place}`);
}
