/** The statistics of experiments beside SciPy and gbstats, whose answers `unit/analysis/statistics` has recorded. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasPip, pythonPackages } from '../support/python-packages.js';
import { disagreement, isClose } from '../support/statistics/agreement.js';
import { type Answer, randomQuestions } from '../support/statistics/oracle-questions.js';
import { readRecorded, writeRecorded } from '../support/statistics/recorded.js';

/** Writes new questions with their answers, before it compares. */
const isRecording = process.env['LOADOUT_STATISTICS_RECORD'] !== undefined;
const fuzzSeed = Number(process.env['LOADOUT_STATISTICS_SEED'] ?? Date.now() % 2 ** 31);

describe.skipIf(!hasPip())('the oracle', () => {
  let packages = '';
  beforeAll(() => {
    packages = pythonPackages(join(import.meta.dirname, 'requirements.txt'));
  });

  function ask(questions: readonly object[]): readonly Answer[] {
    const { status, stdout, stderr, error } = spawnSync(
      'python3',
      [join(import.meta.dirname, 'oracle.py')],
      {
        input: JSON.stringify(questions),
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        env: { ...process.env, PYTHONPATH: packages },
      },
    );
    if (status !== 0) throw new Error(`oracle.py: ${error ?? stderr}`);
    return JSON.parse(stdout);
  }

  it('still gives the answers that are recorded', () => {
    if (isRecording) {
      const questions = randomQuestions(20, 12);
      const answers = ask(questions);
      writeRecorded(questions.map((question, at) => ({ question, answer: answers[at] ?? null })));
    }
    const recorded = readRecorded();
    const answers = ask(recorded.map(({ question }) => question));
    const changed = recorded.filter(
      ({ answer }, at) => !isClose(answers[at] ?? null, answer, 1e-11),
    );
    expect(changed).toEqual([]);
  });

  it(`agrees on random questions (LOADOUT_STATISTICS_SEED=${fuzzSeed})`, () => {
    const questions = randomQuestions(fuzzSeed, 200);
    const answers = ask(questions);
    const found = questions.map((question, at) => disagreement(question, answers[at] ?? null));
    expect(found.filter((each) => each !== null).slice(0, 5)).toEqual([]);
  });
});
