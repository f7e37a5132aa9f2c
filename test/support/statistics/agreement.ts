import { type Answer, type Question, subjects } from './oracle-questions.js';

/**
 * @param question of `randomQuestions`
 * @param expected the oracle's answer
 * @returns what differs by more than rounding, in words; null: nothing
 */
export function disagreement(question: Question, expected: Answer): string | null {
  const subject = subjects[question.ask];
  if (subject === undefined) throw new Error(`no subject ${question.ask}`);
  const actual = subject.answer(question as never);
  if (isClose(actual, expected, subject.tolerance)) return null;
  return `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)} for ${JSON.stringify(question)}`;
}

export function isClose(actual: Answer, expected: Answer, tolerance: number): boolean {
  if (typeof actual === 'number' && typeof expected === 'number') {
    return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));
  }
  if (typeof actual === 'object' && typeof expected === 'object' && actual && expected) {
    const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
    return [...names].every((name) =>
      isClose(memberOf(actual, name), memberOf(expected, name), tolerance),
    );
  }
  return actual === expected;
}

function memberOf(answer: object, name: string): Answer {
  return (answer as Record<string, Answer>)[name] ?? null;
}
