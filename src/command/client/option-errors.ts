/** Errors of a request body for people who have typed options. */
import type { ProblemError } from './problem.js';

/** A member of the body, such as `cap.perUserDay`, and the option that it comes from. */
export type OptionOfMember = readonly [member: string, option: string];

/** @returns a function that names the option in place of the member */
export function naming(options: readonly OptionOfMember[]): (error: ProblemError) => ProblemError {
  const byMember = new Map(options);
  return (error) => {
    const option = byMember.get(error.path ?? '');
    return option === undefined ? error : { ...error, path: option };
  };
}
