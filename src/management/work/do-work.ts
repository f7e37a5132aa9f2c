/** Does a task where it belongs: a small one at once, a heavy one in a worker. */
import { heavyBytesMin } from '../limits.js';
import {
  type TaskInput,
  type TaskName,
  type TaskResult,
  tasks,
  type Work,
  type WorkOptions,
} from './tasks.js';

/**
 * @param weightBytes what the task goes through
 * @throws WorkFailed, WorkTooLong
 */
export async function doWork<Name extends TaskName>(
  work: Work,
  name: Name,
  input: TaskInput<Name>,
  weightBytes: number,
  options: WorkOptions = {},
): Promise<TaskResult<Name>> {
  if (weightBytes >= heavyBytesMin) return work.run(name, input, options);
  const task = tasks[name] as (input: TaskInput<Name>) => TaskResult<Name>;
  return task(input);
}
