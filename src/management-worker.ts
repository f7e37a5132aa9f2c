/** Entry point of a management worker: does the heavy work of edits, one task at a time. */
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { WorkerChoice, WorkMessage } from './management/jobs/work-queue.js';
import { tasks } from './management/worker/tasks.js';
import { chooseTextWork } from './native/text-work.js';

/**
 * Below the delivery processes: an import of 10,000 contents keeps all workers busy for its whole time. On Linux this is
 * the thread's own priority; elsewhere it would be the whole process's, and that of the listeners it starts.
 */
const niceness = 10;
if (process.platform === 'linux') setPriority(niceness);
chooseTextWork((workerData as WorkerChoice).native);

/** @returns what the task of that name gives */
export function run({ name, input }: WorkMessage): unknown {
  const task: (input: never) => unknown = tasks[name];
  return task(input as never);
}
