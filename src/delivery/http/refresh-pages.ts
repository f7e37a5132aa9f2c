/** What the pages of a refresh and the events of a stream have in common: how much one holds, and what stands around it. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { echoedInstantAheadMsMax, refreshMissesMax } from '../limits.js';
import { type Problem, problems } from '../problems.js';
import { idsBytes } from '../render/caller-tail.js';
import { bareEnvelope, type CombinedEntry, type Envelope } from '../render/combine.js';
import type { RenderSlot } from '../render/render-slot.js';
import type { Renderer } from '../render/renderer.js';
import { encodeName, type ServedContent } from '../render/served-content.js';
import type { Found } from './body-gathering.js';

/**
 * How many of these bodies are made for one page: by what they are estimated to have, and by how many of them are not
 * cached. At least one, unless there is none.
 * @param bytesMax what the client wants at once
 */
export function pageLength(
  slots: readonly RenderSlot[],
  bytesMax: number,
  renderer: Pick<Renderer, 'isCached'>,
): number {
  let bytes = 0;
  let missing = 0;
  let count = 0;
  for (const slot of slots) {
    bytes += slot.workBytes;
    if (!renderer.isCached(slot)) missing += 1;
    if (count > 0 && (bytes > bytesMax || missing > refreshMissesMax)) break;
    count += 1;
  }
  return count;
}

/** What a client is to get: places in the content items and their ids, both in the client's order. */
export interface Changed {
  readonly changed: readonly number[];
  readonly contents: readonly (ServedContent | null)[];
  /** The ids in the client's spelling. */
  readonly names: readonly string[];
}

/**
 * The entries of a page: as many of `found` as fit, since mutations can make a body larger than estimated.
 * @param found the bodies of `changed` from its beginning on
 */
export function pageEntries(
  found: readonly Found[],
  { changed, contents, names }: Changed,
  { uid, mod }: EvaluationContext,
  bytesMax: number,
): CombinedEntry[] {
  const entries: CombinedEntry[] = [];
  const ids = idsBytes(uid, mod);
  let bytes = 0;
  for (let at = 0; at < found.length; at += 1) {
    const { slot, parts } = found[at] as Found;
    if (slot === null || parts === null) continue;
    const place = changed[at] as number;
    const name = nameOf(contents[place] as ServedContent, names[place] as string, at === 0);
    const suffix = slot.refreshSuffix(parts);
    bytes += name.byteLength + parts.rawLength + slot.head.length + ids + suffix.byteLength;
    if (at > 0 && bytes > bytesMax) break;
    entries.push({ name, slot, parts, suffix });
  }
  return entries;
}

/** `"id":` in the client's spelling, behind a comma unless it is the first. */
function nameOf(content: ServedContent, id: string, isFirst: boolean): Uint8Array {
  const name = id === content.id ? content.refreshName : encodeName(id);
  return isFirst ? name.subarray(1) : name;
}

/** What a page says beside its entries. */
export interface RefreshState {
  readonly storeId: string;
  readonly sequence: number;
  /** Milliseconds since the epoch; Infinity for never. */
  readonly changesAtMs: number;
  /** Content ids in the client's spelling. */
  readonly gone: readonly string[];
  /** See `ReceiptIssue`; '' for none. */
  readonly receipt: string;
  /** Whether the client may send events; a page says so when it is the last. */
  readonly takesEvents: boolean;
}

/**
 * @param atMs the instant whose passing caused this page, milliseconds since the epoch; 0: none did
 * @param before text before the page, and `after` behind it
 */
export function refreshEnvelope(
  { storeId, sequence, changesAtMs, gone, receipt, takesEvents }: RefreshState,
  more: boolean,
  atMs = 0,
  before = '',
  after = '',
): Envelope {
  const isBare = atMs === 0 && before === '' && after === '' && receipt === '';
  const isPlain = isBare && gone.length === 0 && !more;
  if (isPlain && changesAtMs === Number.POSITIVE_INFINITY) {
    return takesEvents ? takingPage.of(storeId, sequence) : plainPage.of(storeId, sequence);
  }
  const changesAt = instantText(changesAtMs);
  const at = atMs > 0 ? `"at":${instantText(atMs)},` : '';
  const last = receipt === '' ? '' : `,"receipt":"${receipt}"`;
  const takes = takesEvents && !more ? takesMember : '';
  return {
    head: Buffer.from(
      `${before}{"store":${JSON.stringify(storeId)},"sequence":${sequence},"changesAt":${changesAt},${at}"contents":{`,
    ),
    foot: Buffer.from(`},"gone":${JSON.stringify(gone)},"more":${more}${takes}${last}}${after}`),
  };
}

/** Behind `more`, so that a client that knows nothing of events skips it. */
const takesMember = ',"takes":["events"]';

/** Around most refreshes, those without windows, pages and what is gone: the same for all callers until the next edit. */
class PlainPage {
  readonly #foot: Uint8Array;
  #storeId = '';
  #sequence = -1;
  #page: Envelope = bareEnvelope;

  /** @param members behind `more` */
  constructor(members: string) {
    this.#foot = Buffer.from(`},"gone":[],"more":false${members}}`);
  }

  of(storeId: string, sequence: number): Envelope {
    if (this.#sequence !== sequence || this.#storeId !== storeId) {
      const head = Buffer.from(
        `{"store":${JSON.stringify(storeId)},"sequence":${sequence},"changesAt":null,"contents":{`,
      );
      this.#storeId = storeId;
      this.#sequence = sequence;
      this.#page = { head, foot: this.#foot };
    }
    return this.#page;
  }
}

const plainPage = new PlainPage('');
const takingPage = new PlainPage(takesMember);

/** The last moment that RFC 3339 can write. */
const instantMax = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** JSON: an RFC 3339 date-time in UTC, with milliseconds only where there are any; null for never. */
export function instantText(ms: number): string {
  if (ms > instantMax) return 'null';
  return `"${new Date(ms).toISOString().replace('.000Z', 'Z')}"`;
}

/**
 * The moment that a request is evaluated for. A stream on another node may have told the client of an edge that this
 * node's clock has not reached yet.
 * @param nowMs this node's clock, milliseconds since the epoch
 * @param atMs the instant that the client was told of; 0: none
 */
export function evaluatedAtMs(nowMs: number, atMs: number): number {
  return atMs > nowMs && atMs - nowMs <= echoedInstantAheadMsMax ? atMs : nowMs;
}

/** A content item that cannot be made is not gone: the whole refresh fails, and the client keeps what it has. */
export function asUnavailable(problem: Problem): Problem {
  return problem === problems.internal ? problems.contentUnavailable : problem;
}
