/**
 * A line of an event file: one event that a client has reported, as a delivery process has taken it. Delivery writes lines, and
 * the analysis reads them (D96). A process that is killed leaves no part of a line in a sealed file.
 */

/** A rule that applied, as a response lists it in `meta.seg`. */
export interface EventSegment {
  /** Name of the rule. */
  readonly n: string;
  /** Name of the variant; null: the rule has none. */
  readonly v: string | null;
  /** What the rule is configured to report; absent without it. */
  readonly i?: string;
}

interface EventTimes {
  /**
   * When it happened, milliseconds since the epoch: the client's clock, at most 7 days before the line's `r` and never after
   * it.
   */
  readonly at: number;
  /** Chosen by the client: the same event sent again has the same. 1 to 64 characters. */
  readonly eid: string;
}

/** The player has seen a content item. */
export interface ExposureEvent extends EventTimes {
  readonly t: 'exposure';
  /** Content id, in the client's spelling. */
  readonly id: string;
  /** Tag of what was delivered (D80); absent where the client does not know it. */
  readonly tag?: string;
  readonly seg: readonly EventSegment[];
}

/** Something that a metric counts or sums. */
export interface MetricEvent extends EventTimes {
  readonly t: 'metric';
  readonly n: string;
  /** Finite, at most 1e12 in size. */
  readonly x: number;
}

/** Value of an attribute that `--event-attributes` lists. */
export type EventAttribute = string | number | boolean | null;

/** The members of a line, in the order that they are written in. */
export interface EventLine {
  /** When the server received it, milliseconds since the epoch. */
  readonly r: number;
  /** Id of the environment. */
  readonly env: string;
  /** User id, as the client sent it; never empty. */
  readonly u: string;
  /** 1: it came with an events key, which no game carries, so its metrics can be trusted. */
  readonly k: 0 | 1;
  readonly e: ExposureEvent | MetricEvent;
  /** The listed attributes that the request carried; absent where there are none. */
  readonly p?: Readonly<Record<string, EventAttribute>>;
}

/** @returns null for what is no line: a disk has damaged the file */
export function parseEventLine(text: string): EventLine | null {
  try {
    const line = JSON.parse(text) as Partial<EventLine> | null;
    return typeof line?.u === 'string' && typeof line.e?.eid === 'string'
      ? (line as EventLine)
      : null;
  } catch {
    return null;
  }
}
