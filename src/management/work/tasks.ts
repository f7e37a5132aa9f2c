/** The work of management that is too heavy for the control thread, by name: pure functions of their input. */
import { prepareText } from './prepare-text.js';

/**
 * What a worker can be asked. Inputs and results are structured clones, so they hold data only; a task never touches
 * the store.
 */
export const tasks = { prepareText } as const;

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0];
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

/** Does tasks: in workers (work-pool.ts), or at once where a test wants it. */
export interface Work {
  /** @throws WorkFailed when the worker ended before it had done it: its memory is limited */
  run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskResult<Name>>;
}
