/** The stream of a player's changes: opens it, opens it again, and gives up where none can be had. */
import { attempt } from './attempt.js';
import { createEventStreamReader } from './event-stream.js';
import {
  createLane,
  type Failure,
  type Header,
  hasType,
  textCharsMax,
  unauthorized,
} from './lane.js';
import { log, type Run, setClock } from './run.js';

/** After so many silent streams in a row the network is taken for one without streams. */
const silentMax = 2;
const reopenSecondsMax = 60;

/**
 * @param opened the response of the server has begun
 * @param closed it ended, or was rejected
 * @param take takes in the data of an event, and throws if the server does not write such data
 */
export function createChangeStream(
  run: Run,
  body: () => unknown,
  sequence: () => number,
  opened: () => void,
  closed: (failure: Failure | undefined) => void,
  take: (data: string) => void,
) {
  const lane = createLane(run);
  let isOpen = false;
  let isUnusable = run.updates !== 'stream' || !run.transport.canStream;
  /** Streams in a row without an event. */
  let failures = 0;
  let silent = 0;

  const end = (failure: Failure | undefined, retryMs: number) => {
    isOpen = false;
    silent = failure?.reason === 'timeout' ? silent + 1 : 0;
    if (silent >= silentMax || (failure?.isFinal && failure.reason !== unauthorized)) {
      isUnusable = true;
      log(run, 'stream_unusable');
    } else if (!failure?.isFinal) {
      if (retryMs >= 0) lane.later(Math.min(retryMs, reopenSecondsMax * 1000), open);
      else {
        failures += 1;
        lane.retryLater(failures, failure, open, true, reopenSecondsMax);
      }
    }
    closed(failure);
  };

  /** Opens it, unless it is there, or waits for its time. */
  const open = () => {
    if (lane.isWaiting() || isUnusable || !run.isOpen) return;
    let retryMs = -1;
    const read = createEventStreamReader(({ event, data, retry }) => {
      if (retry) retryMs = Number(retry);
      if (event !== 'refresh' || !data) return;
      take(data);
      failures = 0;
    });
    lane.post(
      'stream?responseType=serialized',
      body(),
      (failure) => end(failure, retryMs),
      sequence(),
      {
        opened(header: Header) {
          if (!hasType(header, 'text/event-stream')) return false;
          isOpen = true;
          setClock(run, header('date'));
          opened();
          return true;
        },
        feed: (piece) => !!attempt(() => read(piece) <= textCharsMax),
      },
    );
  };

  return {
    reopen: open,
    isOpen: () => isOpen,
    halt() {
      isOpen = false;
      lane.halt();
    },
  };
}
