import { describe, expect, it } from 'vitest';
import { formatProblem, parseProblem } from '../../../../src/command/client/problem.js';

describe('formatProblem', () => {
  it('gives title and detail, then each error with its path and place', () => {
    const problem = {
      title: 'Bad Request',
      status: 400,
      detail: 'The text is not JSON.',
      errors: [
        { path: 'text', message: 'Expected a comma.', line: 3, column: 7 },
        { path: 'mapping[1].when', message: 'Unknown operator $near.' },
        { path: '', message: 'Something else.', line: 2 },
      ],
    };
    expect(formatProblem(problem).split('\n')).toEqual([
      'Bad Request: The text is not JSON.',
      '  text: Expected a comma. (line 3, column 7)',
      '  mapping[1].when: Unknown operator $near.',
      '  Something else. (line 2)',
    ]);
  });

  it('tells of each save that came in between', () => {
    const save = { author: 'ada\u001b', createdAt: '2026-01-01T00:00:00.000Z' };
    const problem = {
      title: 'Conflict',
      status: 409,
      between: [
        { ...save, revision: 3, note: 'sale', live: true },
        { ...save, revision: 2, note: '', live: false },
      ],
    };
    expect(formatProblem(problem).split('\n')).toEqual([
      'Conflict',
      '  revision 3 (live), by ada  at 2026-01-01T00:00:00.000Z: sale',
      '  revision 2, by ada  at 2026-01-01T00:00:00.000Z',
    ]);
  });

  it('says what to do next after a problem that commands solve', () => {
    const problem = { title: 'Conflict', status: 409, detail: 'It moved.' };
    expect(formatProblem({ ...problem, code: 'release_conflict' }).split('\n')).toEqual([
      'Conflict: It moved.',
      expect.stringMatching(/^ {2}`loadout release diff` compares\./),
    ]);
    for (const code of ['revision_conflict', 'toString', 'of_a_later_server']) {
      expect(formatProblem({ ...problem, code })).toBe('Conflict: It moved.');
    }
  });

  it('is the title alone where there is no detail', () => {
    expect(formatProblem({ title: 'Conflict', status: 409 })).toBe('Conflict');
  });
});

describe('parseProblem', () => {
  it('takes problem details and nothing else', () => {
    expect(parseProblem('{"title":"Gone","status":410}')).toEqual({ title: 'Gone', status: 410 });
    for (const text of ['', 'null', '[]', '"x"', '<html>', '{"title":"Gone"}', '{"status":410}']) {
      expect(parseProblem(text)).toBeNull();
    }
  });
});
