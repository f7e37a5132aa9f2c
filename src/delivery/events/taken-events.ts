/**
 * Checks the events of one request, and words what is taken as lines of an event file. Pure: no clock, no disk. Written by hand
 * because it runs for each event: what is checked is copied member by member, so a line has nothing else that a client sent.
 */
import { isContentId } from '../../content/content-id.js';
import { parseInstant } from '../../content/mapping/instant.js';
import {
  eventAgeMsMax,
  eventAheadMsMax,
  eventIdCharsMax,
  eventNameCharsMax,
  eventTagCharsMax,
  eventValueMax,
  rejectionsShownMax,
} from '../limits.js';
import { Refusal, refusals } from './refusals.js';

/** An event that is refused, as the response lists it. */
interface Rejection {
  /** As the client sent it; null: it sent none. */
  readonly eid: string | null;
  readonly reason: string;
}

/** What the events of a request are written with. */
export interface Reporter {
  /** A line up to the event itself. */
  readonly before: string;
  /** The rest of the line, with its line break. */
  readonly after: string;
  /** When the request was received, milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** Whether a metric event may have this name. */
  readonly admitsName: (name: string) => boolean;
}

export class TakenEvents {
  /** Lines of an event file, one for each event that is taken. */
  lines = '';
  taken = 0;
  /** The first of those that are refused. */
  readonly rejected: Rejection[] = [];
  /** How many are refused, by the reason. */
  readonly refusedCounts: Map<Refusal, number> = new Map();

  /** Takes what is good. */
  static of(events: readonly unknown[], reporter: Reporter): TakenEvents {
    const all = new TakenEvents();
    for (const event of events) {
      const text = eventText(event, reporter);
      if (text instanceof Refusal) all.#refuse(event, text);
      else all.#take(reporter.before + text + reporter.after);
    }
    return all;
  }

  /** Refuses all of them, for the same reason. */
  static none(events: readonly unknown[], refusal: Refusal): TakenEvents {
    const all = new TakenEvents();
    for (const event of events) all.#refuse(event, refusal);
    return all;
  }

  #take(line: string): void {
    this.lines += line;
    this.taken += 1;
  }

  #refuse(event: unknown, refusal: Refusal): void {
    this.refusedCounts.set(refusal, (this.refusedCounts.get(refusal) ?? 0) + 1);
    if (this.rejected.length === rejectionsShownMax) return;
    const eid = isObject(event) && isText(event['eid'], eventIdCharsMax) ? event['eid'] : null;
    this.rejected.push({ eid, reason: refusal.reason });
  }
}

/** @returns JSON of the event as it is stored (`EventLine.e`) */
function eventText(event: unknown, { receivedAtMs, admitsName }: Reporter): string | Refusal {
  if (!isObject(event)) return refusals.malformed;
  const { t, at, eid } = event;
  if (t !== 'metric' && t !== 'exposure') return refusals.malformed;
  if (!isText(eid, eventIdCharsMax)) return refusals.eidInvalid;
  const atMs = typeof at === 'string' ? parseInstant(at) : null;
  if (atMs === null) return refusals.atInvalid;
  if (atMs < receivedAtMs - eventAgeMsMax) return refusals.tooOld;
  if (atMs > receivedAtMs + eventAheadMsMax) return refusals.inFuture;
  const times = `,"at":${Math.min(atMs, receivedAtMs)},"eid":${JSON.stringify(eid)}}`;
  return t === 'metric' ? metricText(event, times, admitsName) : exposureText(event, times);
}

function metricText(
  { n, x }: Members,
  times: string,
  admitsName: Reporter['admitsName'],
): string | Refusal {
  if (!isText(n, eventNameCharsMax)) return refusals.nameInvalid;
  // JSON.parse makes Infinity of 1e400.
  if (typeof x !== 'number' || !(Math.abs(x) <= eventValueMax)) return refusals.valueInvalid;
  if (!admitsName(n)) return refusals.namesTooMany;
  return `{"t":"metric","n":${JSON.stringify(n)},"x":${x}${times}`;
}

function exposureText({ id, tag, seg }: Members, times: string): string | Refusal {
  if (typeof id !== 'string' || !isContentId(id)) return refusals.exposureInvalid;
  if (tag !== undefined && !isText(tag, eventTagCharsMax)) return refusals.exposureInvalid;
  const entries = Array.isArray(seg) ? segmentsText(seg) : null;
  if (entries === null) return refusals.exposureInvalid;
  const tagMember = tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`;
  return `{"t":"exposure","id":"${id}"${tagMember},"seg":${entries}${times}`;
}

/** The body's size bounds their number and length. Null: these are no entries of `meta.seg`. */
function segmentsText(seg: readonly unknown[]): string | null {
  let text = '';
  for (const entry of seg) {
    if (!isObject(entry)) return null;
    const { n, v, i } = entry;
    if (!isStorable(n) || (v !== null && !isStorable(v))) return null;
    if (i !== undefined && !isStorable(i)) return null;
    const info = i === undefined ? '' : `,"i":${JSON.stringify(i)}`;
    text += `${text === '' ? '' : ','}{"n":${JSON.stringify(n)},"v":${JSON.stringify(v)}${info}}`;
  }
  return text === '' ? null : `[${text}]`;
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not empty and not too long. */
export function isText(value: unknown, charsMax: number): value is string {
  return isStorable(value) && value !== '' && value.length <= charsMax;
}

/** PostgreSQL stores no U+0000. */
function isStorable(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
