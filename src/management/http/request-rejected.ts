/** Thrown for a request that does not get to its handler; its problem is the response. */
import type { Problem } from '../../contract/problems.js';

export class RequestRejected extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'RequestRejected';
    this.problem = problem;
  }
}
