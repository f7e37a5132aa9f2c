/** Reads a file of user contexts: NDJSON, what game clients would send, one a line. */

import { CommandFailure } from '../terminal/failure.js';
import { readText, standardInput } from '../terminal/text-file.js';

/** One context as it was written, and the line it stands in, from 1. */
export interface ContextLine {
  readonly json: string;
  readonly line: number;
}

/** @throws CommandFailure when a line is not JSON, or there is none */
export async function readContexts(path: string): Promise<ContextLine[]> {
  const name = path === standardInput ? 'standard input' : path;
  const contexts: ContextLine[] = [];
  for (const [index, text] of (await readText(path)).split('\n').entries()) {
    const json = text.trim();
    if (json === '') continue;
    checkJson(json, `${name}, line ${index + 1}`);
    contexts.push({ json, line: index + 1 });
  }
  if (contexts.length === 0) throw new CommandFailure(`${name} has no user contexts.`);
  return contexts;
}

/** The contexts as a JSON list, each as it was written. */
export function contextList(contexts: readonly ContextLine[]): string {
  return `[${contexts.map(({ json }) => json).join(',')}]`;
}

function checkJson(text: string, place: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(
      `${place} is not JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
