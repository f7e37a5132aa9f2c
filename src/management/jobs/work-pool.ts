/**
 * Workers for the heavy work of management: limited in memory, so that no edit takes the control process down; and in
 * two queues, so that schemas, which may be slow or hostile, keep no other work waiting.
 */
import type { NativeChoice } from '../../native/native-choice.js';
import {
  schemaChecksWaitingMax,
  schemaCheckWaitMsMax,
  schemaThreads,
  workMsMax,
  workThreads,
} from '../limits/work.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { TaskInput, TaskName, TaskResult, Tasks } from '../worker/tasks.js';
import { type Work, type WorkOptions, WorkQueueName } from './work.js';
import { WorkQueue } from './work-queue.js';

const waiting = metric({
  name: 'loadout_admin_work_waiting',
  help: 'Tasks of edits that wait for a worker, by their queue.',
  labels: ['queue'],
  note: '`schema` checks, or `ordinary` ones.',
});

export const workMetrics: readonly Metric[] = [waiting];

export class WorkPool implements Work {
  readonly tasks: Tasks;
  readonly #queues: Readonly<Record<WorkQueueName, WorkQueue>>;

  /** @param failed receives what happened to a worker that had no task */
  constructor(tasks: Tasks, native: NativeChoice, failed: (error: unknown) => void) {
    this.tasks = tasks;
    this.#queues = {
      // Bounded by the requests that may be under way, whose bodies have their own bounds.
      [WorkQueueName.Ordinary]: new WorkQueue({
        ...{ native, failed, threads: workThreads },
        waitingMax: Number.POSITIVE_INFINITY,
        waitMsMax: Number.POSITIVE_INFINITY,
      }),
      [WorkQueueName.Schema]: new WorkQueue({
        ...{ native, failed, threads: schemaThreads },
        waitingMax: schemaChecksWaitingMax,
        waitMsMax: schemaCheckWaitMsMax,
      }),
    };
  }

  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    { timeMsMax = workMsMax, queue = WorkQueueName.Ordinary, waitMsMax }: WorkOptions = {},
  ): Promise<TaskResult<Name>> {
    return this.#queues[queue].run(name, input, timeMsMax, waitMsMax);
  }

  gauges(): Gauge[] {
    return Object.values(WorkQueueName).map((queue) =>
      sample(waiting, this.#queues[queue].waiting, { queue }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
  }
}
