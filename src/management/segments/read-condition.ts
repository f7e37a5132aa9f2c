/** The condition of a body: kept byte for byte, and validated. */
import { segmentBytesMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { rawMembers } from '../http/body/raw-members.js';
import type { AdminContext } from '../http/context.js';
import { bodyIssue } from '../http/problem.js';
import { doWork } from '../jobs/work.js';
import type { CheckedCondition } from './check-condition.js';

export interface ReadCondition {
  /** JSON text, as it was sent. */
  readonly condition: string;
  /** What is valid but probably a mistake. */
  readonly warnings: CheckedCondition['warnings'];
  /** The attributes that it reads. */
  readonly attributes: CheckedCondition['attributes'];
}

/**
 * Rejects a condition that is too large or does not compile.
 * @param raw the body as it was sent, whose member `when` it is
 * @throws WorkFailed, WorkTooLong
 */
export async function readCondition(
  { work }: Pick<AdminContext, 'work'>,
  raw: Uint8Array | null,
): Promise<ReadCondition | Problem> {
  const when = rawMembers(raw ?? new Uint8Array()).get('when');
  if (when === undefined || when.byteLength > segmentBytesMax) {
    return bodyIssue('when', `is larger than ${segmentBytesMax} bytes`);
  }
  const condition = Buffer.from(when).toString();
  const { issues, warnings, attributes } = await doWork(
    work,
    'checkCondition',
    condition,
    when.byteLength,
  );
  if (issues.length > 0) {
    return new Problem('invalid_segment', 'The condition is not valid.', issues);
  }
  return { condition, warnings, attributes };
}
