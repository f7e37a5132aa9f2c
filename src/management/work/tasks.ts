/** The work of management that is too heavy for the control thread, by name: pure functions of their input. */
import { checkCondition } from './check-condition.js';
import { compareConditions } from './compare-conditions.js';
import { diffLine } from './diff-line.js';
import { diffMappings } from './diff-mappings.js';
import { evaluateContext } from './evaluate-context.js';
import { findAbTests } from './find-ab-tests.js';
import { findAttributes } from './find-attributes.js';
import { findSavedSegments } from './find-saved-segments.js';
import { judgeState } from './judge-state.js';
import { prepareText } from './prepare-text.js';
import { previewContexts } from './preview-contexts.js';
import { readTransferLines } from './read-transfer-lines.js';
import { testCondition } from './test-condition.js';

/**
 * What a worker can be asked. Inputs and results are structured clones, so they hold data only; a task never touches
 * the store.
 */
export const tasks = {
  checkCondition,
  compareConditions,
  diffLine,
  diffMappings,
  evaluateContext,
  findAbTests,
  findAttributes,
  findSavedSegments,
  judgeState,
  prepareText,
  previewContexts,
  readTransferLines,
  testCondition,
} as const;

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** Which queue a task waits in. */
export const WorkLane = { Ordinary: 'ordinary', Schema: 'schema' } as const;
export type WorkLane = (typeof WorkLane)[keyof typeof WorkLane];

/** Times in milliseconds. */
export interface WorkOptions {
  /** From its start, after which the worker is ended; left out: `workMsMax`. */
  readonly timeMsMax?: number | undefined;
  /** Left out: the ordinary one. */
  readonly lane?: WorkLane;
  /** 0: it must start at once. Left out: as the queue has it. */
  readonly waitMsMax?: number | undefined;
}

/** Does tasks: in workers (work-pool.ts), or at once where a test wants it. */
export interface Work {
  /**
   * @throws WorkFailed when the worker ended before it had done it: its memory is limited
   * @throws WorkTooLong, WorkOverloaded
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    options?: WorkOptions,
  ): Promise<TaskResult<Name>>;
}
