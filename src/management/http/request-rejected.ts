import type { Problem } from '../../contract/problems.js';

/** Thrown for a request that does not get to its handler. */
export class RequestRejected extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'RequestRejected';
    this.problem = problem;
  }
}
