/** The analysis process as its parent sees it: does one job at a time, and is ended when it takes too much of anything (D97). */
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import type {
  AnalysisOptions,
  FromAnalysis,
  JobResponse,
  NumberedJob,
  ToAnalysis,
} from '../../analysis/process-messages.js';
import { compileCacheEnvironment } from '../../compile-cache.js';
import {
  analysisHeapMegabytesMax,
  analysisSilentMsMax,
  analysisSpareBytes,
} from '../limits/experiments.js';
import { relayLines } from '../processes/relay-lines.js';
import { AnalysisEnded } from './analysis-ended.js';

interface ProcessEvents {
  /** A line that it wrote to its standard error. */
  readonly logged: (line: string) => void;
  readonly ended: () => void;
}

interface RunningJob {
  readonly id: number;
  readonly msMax: number;
  readonly resolve: (response: JobResponse) => void;
  readonly reject: (error: AnalysisEnded) => void;
}

export class AnalysisProcess {
  readonly #options: AnalysisOptions;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #job: RunningJob | null = null;
  /** Ends a job that does not come forward, and a process whose event loop does not turn. */
  #jobTimer: NodeJS.Timeout | undefined;
  #silenceTimer: NodeJS.Timeout | undefined;
  /** Why it was ended; null: it lives, or ended by itself. */
  #end: AnalysisEnded | null = null;

  /** @param program of `analysis-process.js` */
  constructor(program: URL, options: AnalysisOptions, { logged, ended }: ProcessEvents) {
    this.#options = options;
    this.#child = fork(program, [], {
      execArgv: [`--max-old-space-size=${analysisHeapMegabytesMax}`],
      env: { ...inherited(), ...compileCacheEnvironment(), TMPDIR: tmpdir() },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.#child.stderr !== null) relayLines(this.#child.stderr, logged);
    this.#child.on('message', (message) => this.#received(message as FromAnalysis));
    this.#ended = new Promise((resolve) => {
      const end = (how: string): void => {
        clearTimeout(this.#jobTimer);
        clearTimeout(this.#silenceTimer);
        this.#job?.reject(
          this.#end ?? new AnalysisEnded('died', `The analysis process ended (${how}).`),
        );
        this.#job = null;
        ended();
        resolve();
      };
      this.#child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      // It could not be started.
      this.#child.on('error', (error) => end(error.message));
    });
    this.#send({ type: 'start', options });
    this.#heard();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /**
   * @param msMax until it responds, or says that it comes forward
   * @throws AnalysisEnded
   */
  run(job: NumberedJob, msMax: number): Promise<JobResponse> {
    return new Promise((resolve, reject) => {
      this.#job = { id: job.id, msMax, resolve, reject };
      this.#cameForward();
      this.#send(job);
    });
  }

  /** Resolves when it is gone. What it was about to do is done again by the next one. */
  async close(): Promise<void> {
    this.#kill(new AnalysisEnded('closed', 'The server stops.'));
    await this.#ended;
  }

  #send(message: ToAnalysis): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #received(message: FromAnalysis): void {
    this.#heard();
    if (message.type === 'alive') {
      if (message.rssBytes > this.#options.memoryBytesMax + analysisSpareBytes) {
        this.#kill(new AnalysisEnded('memory', 'The analysis process needs too much memory.'));
      }
      return;
    }
    if (message.type === 'progress') {
      this.#cameForward();
      return;
    }
    if (message.id !== this.#job?.id) return;
    clearTimeout(this.#jobTimer);
    const { resolve } = this.#job;
    this.#job = null;
    resolve(message);
  }

  #heard(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(
      () => this.#kill(new AnalysisEnded('hung', 'The analysis process hangs.')),
      analysisSilentMsMax,
    );
    this.#silenceTimer.unref();
  }

  #cameForward(): void {
    clearTimeout(this.#jobTimer);
    if (this.#job === null) return;
    const { msMax } = this.#job;
    this.#jobTimer = setTimeout(
      () =>
        this.#kill(
          new AnalysisEnded('time', `The analysis process takes longer than ${msMax / 1_000} s.`),
        ),
      msMax,
    );
    this.#jobTimer.unref();
  }

  #kill(why: AnalysisEnded): void {
    this.#end ??= why;
    this.#child.kill('SIGKILL');
  }
}

/** What a driver of PostgreSQL and a client of HTTPS read of their environment. */
const inheritedNames = /^(PG[A-Z]+|HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/;

/** Nothing else of our own environment goes along: the owner's token may be in it. */
function inherited(): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: the database of events is reached as with psql.
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => inheritedNames.test(name)));
}
