/** The stream of a player's changes: opens it, opens it again, and gives up where none can be had. */
import { EventStreamReader } from './event-stream.js';
import { type Failure, failureOf, type Header, hasType, rejection, send, textCharsMax, unauthorized } from './exchange.js';
import type { Run } from './run.js';

/** A comment comes every 20 to 30 seconds, so without a byte the connection is dead, or something holds them back. */
const silenceMsMax = 60_000;
/** After so many silent streams in a row the network is taken for one without streams. */
const silentMax = 2;
const reopenSecondsMax = 60;

export interface ChangeStreamDeps {
  body(): unknown;
  headers(): Record<string, string>;
  /** Whether a request may be sent now. */
  isWanted(): boolean;
  opened(): void;
  /** It ended, or was rejected. */
  closed(failure: Failure | null): void;
  /** @returns whether the data of an event is as the server writes it */
  take(text: string): boolean;
}

export class ChangeStream {
  /** The response of the server has begun. */
  isOpen = false;
  private readonly run: Run;
  private readonly deps: ChangeStreamDeps;
  private isUnusable: boolean;
  private abandon: (() => void) | null = null;
  private cancelReopen: (() => void) | null = null;
  private cancelSilence: (() => void) | null = null;
  /** Streams in a row without an event. */
  private failures = 0;
  private silent = 0;

  constructor(run: Run, deps: ChangeStreamDeps) {
    this.run = run;
    this.deps = deps;
    this.isUnusable = run.options.updates !== undefined && run.options.updates !== 'stream';
    if (!run.transport.canStream) this.isUnusable = true;
  }

  /** Opens it, unless it is there, or waits for its time. */
  open(): void {
    const isBusy = this.abandon !== null || this.cancelReopen !== null;
    if (isBusy || this.isUnusable || !this.deps.isWanted()) return;
    let status = 0;
    let header: Header = () => null;
    let problem = '';
    let isGarbage = false;
    const reader = new EventStreamReader((name, data) => {
      if (name !== 'refresh' || isGarbage) return;
      isGarbage = !this.deps.take(data);
      if (!isGarbage) this.failures = 0;
    });
    const path = 'stream?responseType=serialized';
    this.abandon = send(this.run, path, this.deps.body(), this.deps.headers(), {
      head: (itsStatus, itsHeader) => {
        status = itsStatus;
        header = itsHeader;
        this.listen();
        if (status !== 200) return;
        if (!hasType(header, 'text/event-stream')) return this.end(failureOf('garbage'));
        this.run.setClock(header('date'));
        this.isOpen = true;
        this.deps.opened();
      },
      text: (piece) => {
        this.listen();
        if (this.isOpen) reader.feed(piece);
        else problem += piece;
        if (isGarbage || reader.pending + problem.length > textCharsMax)
          this.end(failureOf('garbage'));
      },
      end: () => {
        const isRejected = status !== 0 && status !== 200;
        this.end(isRejected ? rejection(status, header, problem) : null, reader.retryMs);
      },
    });
    this.listen();
  }

  close(): void {
    this.isOpen = false;
    for (const end of [this.abandon, this.cancelReopen, this.cancelSilence]) end?.();
    this.abandon = this.cancelReopen = this.cancelSilence = null;
  }

  /** A byte came. */
  private listen(): void {
    this.cancelSilence?.();
    this.cancelSilence = this.run.clock.setTimer(
      () => this.end(null, null, this.silent + 1),
      silenceMsMax,
      true,
    );
  }

  private end(failure: Failure | null, retryMs: number | null = null, silent = 0): void {
    this.close();
    this.silent = silent;
    const isUnauthorized = failure?.code === unauthorized;
    if (silent >= silentMax || (failure?.isFinal && !isUnauthorized)) {
      this.isUnusable = true;
      this.run.log('stream_unusable', `No stream in this run: ${failure?.code ?? 'silence'}.`);
    } else if (!isUnauthorized) {
      this.reopen(retryMs, failure?.retryAfterMs ?? 0);
    }
    this.deps.closed(failure);
  }

  private reopen(retryMs: number | null, retryAfterMs: number): void {
    if (retryMs === null) this.failures += 1;
    const ms =
      retryMs === null
        ? this.run.backoffMs(this.failures, reopenSecondsMax) + retryAfterMs
        : Math.min(retryMs, reopenSecondsMax * 1000);
    this.cancelReopen = this.run.clock.setTimer(
      () => {
        this.cancelReopen = null;
        this.open();
      },
      ms,
      true,
    );
  }
}
