/** Why a mutation cannot be compiled or applied. A value that is returned, never thrown. */

export class MutationIssue {
  /** One sentence; it names the operation where there is one. */
  readonly message: string;
  /** Index of the operation in its JSON Patch, from 0; -1: the issue is not one operation's. */
  readonly operation: number;

  constructor(reason: string, operation = -1) {
    this.message = operation < 0 ? reason : `operation ${operation}: ${reason}`;
    this.operation = operation;
  }
}
