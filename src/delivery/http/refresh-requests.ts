/**
 * Responds to refreshes: everything is chosen from one sequence, what the client holds already is recognised by its tag
 * before anything is rendered, and the rest is sent, in pages where it is much.
 */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Clock } from '../clock.js';
import { countAll } from '../experiments/counted-arms.js';
import {
  gzipBytesMin,
  refreshRestartsMax,
  refreshTurnContentsMax,
  refreshTurnWorkMax,
} from '../limits.js';
import type { Metrics } from '../metrics.js';
import { problems } from '../problems.js';
import type { PublishedIndex } from '../published/published-index.js';
import type { ReceiptIssue } from '../receipts/receipt-issue.js';
import { combine, combineGzip } from '../render/combine.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, Form } from '../render/render-task.js';
import type { Renderer } from '../render/renderer.js';
import type { ServedContent } from '../render/served-content.js';
import { gzipOrNone } from './accept-encoding.js';
import { type Found, gatherBodies } from './body-gathering.js';
import { type ContentRequests, isWorthGzip, overworked } from './content-requests.js';
import type { Exchange } from './exchange.js';
import { type RefreshContents, refreshContents } from './refresh-contents.js';
import {
  asUnavailable,
  evaluatedAtMs,
  pageEntries,
  pageLength,
  refreshEnvelope,
} from './refresh-pages.js';
import type { RefreshRequest } from './refresh-request.js';

export class RefreshRequests {
  readonly #requests: ContentRequests;
  readonly #index: Pick<PublishedIndex, 'sequence' | 'storeId'>;
  readonly #renderer: Renderer;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #receipts: ReceiptIssue;

  constructor(
    requests: ContentRequests,
    index: Pick<PublishedIndex, 'sequence' | 'storeId'>,
    renderer: Renderer,
    metrics: Metrics,
    clock: Clock,
    receipts: ReceiptIssue,
  ) {
    this.#requests = requests;
    this.#index = index;
    this.#renderer = renderer;
    this.#metrics = metrics;
    this.#clock = clock;
    this.#receipts = receipts;
  }

  respond(exchange: Exchange, request: RefreshRequest, caller: EvaluationContext): void {
    const start = () => this.#start(exchange, request, caller, caller.workLeft, 0);
    if (exchange.sequenceMin < 0) start();
    else this.#requests.inSequence(exchange, start);
  }

  /**
   * @param workMax what the rules may do, without what each content item adds
   * @param restarts how often an edit has passed what was chosen
   */
  #start(
    exchange: Exchange,
    request: RefreshRequest,
    caller: EvaluationContext,
    workMax: number,
    restarts: number,
  ): void {
    const { environment } = exchange;
    if (environment === null) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const resolved = refreshContents(environment, request);
    caller.workLeft = workMax + resolved.ordinaryWork;
    // After an edit has passed a choice, what is chosen now may be of a later sequence than what was waited for.
    if (exchange.sequence >= 0) exchange.sequence = this.#index.sequence;
    const call: RefreshCall = {
      exchange,
      request,
      caller,
      resolved,
      form: request.serialized ? Form.Serialized : Form.Wrapped,
      coding: gzipOrNone(exchange.accepts),
      sequence: this.#index.sequence,
      storeId: this.#index.storeId,
      nowMs: evaluatedAtMs(this.#clock.wallMs(exchange.choosingAtMs), request.atMs),
      isBehind: this.#requests.limitWork(exchange, caller),
      changed: [],
      slots: [],
      confirmed: [],
      gone: resolved.unknown.slice(),
      changesAtMs: Number.POSITIVE_INFINITY,
      again: () => this.#start(exchange, request, caller, workMax, restarts + 1),
      restarts,
    };
    this.#choose(call, 0);
  }

  /**
   * Chooses in short turns. All is of one sequence all the same: the contents were resolved in one turn, and an edit puts
   * others in their place.
   */
  #choose(call: RefreshCall, from: number): void {
    const { exchange, caller, resolved, form, coding, nowMs } = call;
    const { names, contents, tags, listed } = resolved;
    const workAtStart = caller.workLeft;
    for (let at = from; at < contents.length; at += 1) {
      if (
        at - from >= refreshTurnContentsMax ||
        workAtStart - caller.workLeft > refreshTurnWorkMax
      ) {
        setImmediate(() => exchange.goOn(() => this.#goOn(call, at)));
        return;
      }
      const state = (contents[at] as ServedContent).stateFor(caller);
      const slot = state === null ? null : state.slot(caller, form, coding, nowMs);
      if (state === null || slot === null) {
        if (caller.isOverworked) break;
        if (at < listed) call.gone.push(names[at] as string);
        continue;
      }
      if (state.hasWindows) {
        call.changesAtMs = Math.min(call.changesAtMs, state.changesAtMs(caller, nowMs));
      }
      if (slot.tag === tags[at]) {
        if (slot.counted !== null) call.confirmed.push({ slot });
        continue;
      }
      call.changed.push(at);
      call.slots.push(slot);
    }
    if (caller.isOverworked) exchange.reject(overworked(call.isBehind));
    else if (call.changed.length === 0) this.#respond(call, nothingFound);
    else this.#gather(call);
  }

  #goOn(call: RefreshCall, from: number): void {
    const { exchange } = call;
    if (this.#requests.isStillAdmitted(exchange)) this.#choose(call, from);
    else exchange.reject(problems.keyInvalid);
  }

  #gather(call: RefreshCall): void {
    const { exchange, slots, nowMs } = call;
    gatherBodies(this.#renderer, {
      exchange,
      slots: slots.slice(0, pageLength(slots, call.request.bytesMax, this.#renderer)),
      nowMs,
      onFound: (found) => {
        if (this.#requests.isStillAdmitted(exchange)) this.#respond(call, found);
        else exchange.reject(problems.keyInvalid);
      },
      onPassed: () => {
        if (call.restarts >= refreshRestartsMax) exchange.reject(problems.contentUnavailable);
        else if (!this.#requests.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
        else call.again();
      },
      onFailed: (problem) => exchange.reject(asUnavailable(problem)),
    });
  }

  #respond(call: RefreshCall, found: readonly Found[]): void {
    const { exchange, caller, changed, resolved, coding } = call;
    const { contents, names } = resolved;
    const page = { changed, contents, names };
    const entries = pageEntries(found, page, caller, call.request.bytesMax);
    for (const { parts } of entries) this.#metrics.rulesMissed += parts?.missed.length ?? 0;
    if (caller.lacksUtcOffset) this.#metrics.utcOffsetsMissing += 1;
    const more = entries.length < changed.length;
    const receipt = this.#receiptOf(call, more);
    const takesEvents = exchange.environment?.settings.takesEvents === true;
    const envelope = refreshEnvelope({ ...call, receipt, takesEvents }, more);
    const isLong = envelope.foot.byteLength >= gzipBytesMin;
    const packed = coding === Coding.Gzip && (isLong || isWorthGzip(entries, caller));
    const make = packed ? combineGzip : combine;
    const body = make(entries, caller, Number.POSITIVE_INFINITY, envelope);
    exchange.respond(body as Uint8Array, packed ? Coding.Gzip : Coding.Identity, '');
    countAll(entries, caller, call.nowMs);
    countAll(call.confirmed, caller, call.nowMs);
  }

  /** A request without X-Min-Sequence is the first of a game's run: client kits send it from the second one on (D88). */
  #receiptOf({ exchange, resolved, caller, nowMs }: RefreshCall, more: boolean): string {
    const { environment, sequenceMin } = exchange;
    if (environment === null || !environment.collectsReceipts) return '';
    const { id } = environment;
    const { contents } = resolved;
    if (sequenceMin < 0) this.#receipts.started(exchange, id, contents, caller, nowMs);
    return more ? '' : this.#receipts.receiptOf(id, contents, caller);
  }
}

const nothingFound: readonly Found[] = [];

/** A refresh under way. */
interface RefreshCall {
  readonly exchange: Exchange;
  readonly request: RefreshRequest;
  readonly caller: EvaluationContext;
  readonly resolved: RefreshContents;
  readonly form: Form;
  readonly coding: Coding;
  /** What it is made from. */
  readonly sequence: number;
  readonly storeId: string;
  /** The moment that it is chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly isBehind: boolean;
  /** Places in `resolved` of what the client does not hold, and the bodies that it is to get. */
  readonly changed: number[];
  readonly slots: RenderSlot[];
  /** Bodies that the client holds and goes on with, where it is counted for them. */
  readonly confirmed: { readonly slot: RenderSlot }[];
  readonly gone: string[];
  changesAtMs: number;
  /** Begins again, from what is published now. */
  readonly again: () => void;
  readonly restarts: number;
}
