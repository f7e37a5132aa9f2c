import { describe, expect, it } from 'vitest';
import { disagreement } from '../../../support/statistics/agreement.js';
import { subjects } from '../../../support/statistics/oracle-questions.js';
import { readRecorded } from '../../../support/statistics/recorded.js';

const recorded = readRecorded();

describe('statistics of experiments', () => {
  it.each(Object.keys(subjects))('agree with SciPy and gbstats about %s', (ask) => {
    const ofSubject = recorded.filter(({ question }) => question.ask === ask);
    expect(ofSubject.length).toBeGreaterThan(0);
    const found = ofSubject.map(({ question, answer }) => disagreement(question, answer));
    expect(found.filter((each) => each !== null)).toEqual([]);
  });

  it('would disagree with the answer of another question', () => {
    const [first, second] = recorded;
    if (first === undefined || second === undefined) throw new Error('nothing is recorded');
    expect(disagreement(first.question, second.answer)).not.toBeNull();
  });
});
