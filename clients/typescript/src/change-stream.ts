/** The stream of a player's changes: opens it, opens it again, and gives up where none can be had. */
import { createEventStreamReader } from './event-stream.js';
import {
  createLane,
  type Failure,
  type Header,
  hasType,
  rejection,
  textCharsMax,
  unauthorized,
} from './lane.js';
import { backoffMs, log, type Run, setClock } from './run.js';

/** A comment comes every 20 to 30 seconds: without a byte the connection is dead, or something holds them back. */
const silenceMsMax = 60_000;
/** After so many silent streams in a row the network is taken for one without streams. */
const silentMax = 2;
const reopenSecondsMax = 60;

export interface ChangeStreamDeps {
  body(): unknown;
  headers(): Record<string, string>;
  /** The response of the server has begun. */
  opened(): void;
  /** It ended, or was rejected. */
  closed(failure: Failure | null): void;
  /** @returns whether the data of an event is as the server writes it */
  take(text: string): boolean;
}

export function createChangeStream(run: Run, deps: ChangeStreamDeps) {
  const lane = createLane(run);
  let isOpen = false;
  let isUnusable = run.updates !== 'stream' || !run.transport.canStream;
  /** Streams in a row without an event. */
  let failures = 0;
  let silent = 0;

  const close = () => {
    isOpen = false;
    lane.halt();
  };

  const end = (failure: Failure | null, retryMs: number | null = null, isSilent = false) => {
    close();
    silent = isSilent ? silent + 1 : 0;
    const isRejected = failure?.isFinal && failure.code !== unauthorized;
    if (isRejected || silent >= silentMax) {
      isUnusable = true;
      log(run, 'stream_unusable', 'There is no stream in this run.');
    } else if (!failure?.isFinal) {
      if (retryMs === null) failures += 1;
      const backMs = backoffMs(run, failures, reopenSecondsMax) + (failure?.retryAfterMs ?? 0);
      lane.later(retryMs === null ? backMs : Math.min(retryMs, reopenSecondsMax * 1000), open);
    }
    deps.closed(failure);
  };

  /** A byte came. */
  const listen = () => lane.later(silenceMsMax, () => end(null, null, true));

  /** Opens it, unless it is there, or waits for its time. */
  const open = () => {
    if (lane.isBusy() || lane.isWaiting() || isUnusable || !run.isOpen) return;
    let status = 0;
    let header: Header;
    let problem = '';
    let isGarbage = false;
    const reader = createEventStreamReader((name, data) => {
      if (name !== 'refresh' || isGarbage) return;
      isGarbage = !deps.take(data);
      if (!isGarbage) failures = 0;
    });
    lane.send('stream?responseType=serialized', deps.body(), deps.headers(), {
      head(itsStatus, itsHeader) {
        status = itsStatus;
        header = itsHeader;
        listen();
        if (status !== 200) return;
        if (!hasType(header, 'text/event-stream')) return end({ code: 'garbage' });
        setClock(run, header('date'));
        isOpen = true;
        deps.opened();
      },
      text(piece) {
        listen();
        if (isOpen) reader.feed(piece);
        else problem += piece;
        if (isGarbage || reader.pending() + problem.length > textCharsMax) end({ code: 'garbage' });
      },
      end: () => end(status ? rejection(status, header, problem) : null, reader.retryMs()),
    });
    listen();
  };

  return { open, close, isOpen: () => isOpen };
}
