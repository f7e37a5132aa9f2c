/** Jobs of the analysis process: one runs, a few wait. The process is there while there are jobs, and a while longer. */
import type { Logger } from 'pino';
import type {
  AnalysisOptions,
  Job,
  JobResponse,
  NumberedJob,
} from '../../analysis/process-messages.js';
import { AnalysisUnavailable } from '../analysis-unavailable.js';
import { analysisIdleMsMax, analysisJobsWaitingMax } from '../limits/experiments.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import { AnalysisEnded } from './analysis-ended.js';
import { AnalysisProcess } from './analysis-process.js';

const jobsWaiting = metric({
  name: 'loadout_analysis_jobs_waiting',
  help: 'Jobs of the analysis process that wait, and the one that runs.',
  onlyIf: 'the server takes events',
});
const processesEnded = metric({
  name: 'loadout_analysis_processes_ended',
  help: 'Analysis processes that ended in the middle of a job, since the start of the server.',
  onlyIf: 'the server takes events',
});

export const jobMetrics: readonly Metric[] = [jobsWaiting, processesEnded];

export interface JobQueueParts {
  /** Of `analysis-process.js`. */
  readonly program: URL;
  readonly options: AnalysisOptions;
  readonly logged: (line: string) => void;
  readonly log: Pick<Logger, 'warn'>;
}

export class JobQueue {
  readonly #parts: JobQueueParts;
  #process: AnalysisProcess | null = null;
  /** Resolves when all jobs before have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  /** With the one that runs. */
  #waiting = 0;
  #jobs = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Processes that ended in the middle of a job. */
  #ended = 0;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  gauges(): readonly Gauge[] {
    return [sample(jobsWaiting, this.#waiting), sample(processesEnded, this.#ended)];
  }

  /**
   * Jobs of the server itself wait however many there are: whoever asks without end would keep events from being stored.
   * @param msMax of the job itself, without its wait
   * @throws AnalysisUnavailable `analysis_busy` when too many jobs wait; AnalysisEnded
   */
  run(job: Job, msMax: number): Promise<JobResponse> {
    const isOfServer = job.type === 'compact' || job.type === 'retain';
    if (!isOfServer && this.#waiting >= analysisJobsWaitingMax) {
      const detail = 'Other jobs about events are under way; ask again in a minute.';
      return Promise.reject(new AnalysisUnavailable('analysis_busy', detail));
    }
    this.#waiting += 1;
    const done = this.#turn.then(() => this.#run(job, msMax));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#process?.close();
    await this.#turn;
  }

  async #run(job: Job, msMax: number): Promise<JobResponse> {
    clearTimeout(this.#idle);
    try {
      if (this.#isClosed) throw new AnalysisEnded('closed', 'The server stops.');
      this.#process ??= this.#start();
      const numbered: NumberedJob = { ...job, id: ++this.#jobs };
      return await this.#process.run(numbered, msMax);
    } catch (error) {
      if (!this.#isClosed && error instanceof AnalysisEnded) this.#noteEnd(job, error);
      throw error;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isClosed) this.#endWhenIdle();
    }
  }

  #noteEnd({ type: job }: Job, { reason, message }: AnalysisEnded): void {
    this.#ended += 1;
    this.#parts.log.warn({ event: 'analysis_process_ended', job, reason }, message);
  }

  #start(): AnalysisProcess {
    const { program, options, logged } = this.#parts;
    const started = new AnalysisProcess(program, options, {
      logged,
      ended: () => {
        if (this.#process === started) this.#process = null;
      },
    });
    return started;
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => {
      const idle = this.#process;
      this.#process = null;
      // The next job waits for its end: two processes must not work in one folder.
      this.#turn = this.#turn.then(() => idle?.close());
    }, analysisIdleMsMax);
    this.#idle.unref();
  }
}
