/** Questions with the oracle's answers, so that every run of the tests compares with them without Python. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Question } from './oracle-questions.js';

export interface Recorded {
  readonly question: Question;
  readonly answer: Answer;
}

const file = join(import.meta.dirname, 'recorded.json');

export function readRecorded(): readonly Recorded[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A line for each, so that a difference can be read. */
export function writeRecorded(recorded: readonly Recorded[]): void {
  const lines = recorded.map((each) => JSON.stringify(each));
  writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
}
