/** Entry point of a management worker: does the heavy work of edits, one task at a time. */
import { tasks } from './management/work/tasks.js';
import type { WorkMessage } from './management/work/work-pool.js';

/** @returns what the task of that name gives */
export function run({ name, input }: WorkMessage): unknown {
  const task: (input: never) => unknown = tasks[name];
  return task(input as never);
}
