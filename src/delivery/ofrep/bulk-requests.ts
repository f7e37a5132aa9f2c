/** Responds to OFREP's bulk evaluations: the flags that the contents of an environment list, for one player. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { pointerOf } from '../../content/flags/flag-key.js';
import { type FlagDocument, locateFlag } from '../../content/flags/locate-flag.js';
import { digestOf } from '../../content/hash.js';
import { gzipOrNone } from '../http/accept-encoding.js';
import { type Found, gatherBodies } from '../http/body-gathering.js';
import { overworked } from '../http/content-requests.js';
import { isNoneMatch } from '../http/etag.js';
import type { Exchange } from '../http/exchange.js';
import { bulkFlagsMax } from '../limits.js';
import { Problem, problems } from '../problems.js';
import type { ApiKeys } from '../published/api-keys.js';
import type { PublishedIndex } from '../published/published-index.js';
import { FlagMiss, makeFlagResponse } from '../render/flag-response.js';
import type { RenderSlot } from '../render/render-slot.js';
import { Coding, Form, type RenderedParts } from '../render/render-task.js';
import type { ServedContent } from '../render/served-content.js';
import { BulkBodies, BulkBody } from './bulk-bodies.js';
import { type FlagRequestsParts, noVersionLine } from './flag-requests.js';
import { flagNotFound, flagsTooLarge, targetingKeyMissing, tooManyFlags } from './ofrep-errors.js';
import { keyIdLength, type SealedToken, type StreamTokens } from './stream-token.js';

export interface BulkRequestsParts extends FlagRequestsParts {
  readonly index: Pick<PublishedIndex, 'sequence'>;
  readonly keys: Pick<ApiKeys, 'hashOf'>;
  readonly tokens: StreamTokens;
  /** The most that the flags may have together: --combine-bytes-max. */
  readonly bytesMax: number;
}

/** How long a hidden page keeps its stream open, seconds: the protocol's own default. */
const inactivityDelaySec = 120;

export class BulkRequests {
  readonly #parts: BulkRequestsParts;
  readonly #bodies = new BulkBodies();

  constructor(parts: BulkRequestsParts) {
    this.#parts = parts;
  }

  /** @param ifNoneMatch value of If-None-Match; '' for none */
  respond(exchange: Exchange, ifNoneMatch: string, caller: EvaluationContext): void {
    const workMax = caller.workLeft;
    const start = () => this.#choose(exchange, ifNoneMatch, caller, workMax, true);
    if (exchange.sequenceMin < 0) start();
    else this.#parts.requests.inSequence(exchange, start);
  }

  /**
   * @param workMax what the rules may do, without what each content item adds
   * @param again whether to choose once more when an edit has passed the choice
   */
  #choose(
    exchange: Exchange,
    ifNoneMatch: string,
    caller: EvaluationContext,
    workMax: number,
    again: boolean,
  ): void {
    const { requests, clock, index, keys, tokens } = this.#parts;
    const { environment } = exchange;
    if (environment === null) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const contents = environment.flagged;
    const problem = problemOf(contents);
    if (problem !== null) {
      exchange.reject(problem);
      return;
    }
    caller.workLeft = workMax;
    for (const { ordinaryWork } of contents) caller.workLeft += ordinaryWork;
    const nowMs = clock.wallMs(exchange.choosingAtMs);
    const isBehind = requests.limitWork(exchange, caller);
    const chosen = choose(contents, caller, nowMs);
    if (chosen === null) {
      exchange.reject(overworked(isBehind));
      return;
    }
    const keyId = keys.hashOf(exchange.key).slice(0, keyIdLength);
    const token = tokens.seal({ keyId, environmentId: environment.id, caller }, nowMs);
    // The key of the token is in it too: another API key, or another player, has another stream.
    const etag = `W/"${digestOf(`${chosen.list}\n${token.digest}`).slice(0, 32)}"`;
    if (isNoneMatch(ifNoneMatch, etag) && exchange.notModified(etag)) return;
    const call: BulkCall = {
      ...{ exchange, chosen, nowMs, etag },
      tail: tailOf(token, index.sequence),
      key: digestOf(chosen.list + chosen.origins),
      again: () => {
        if (!again) exchange.reject(problems.internal);
        else if (!requests.isStillAdmitted(exchange)) exchange.reject(problems.keyInvalid);
        else this.#choose(exchange, ifNoneMatch, caller, workMax, false);
      },
    };
    const known = this.#bodies.find(call.key);
    if (known === undefined) this.#gather(call);
    else this.#send(call, known);
  }

  #gather(call: BulkCall): void {
    const { exchange, chosen, nowMs } = call;
    gatherBodies(this.#parts.renderer, {
      exchange,
      slots: chosen.slots.slice(),
      nowMs,
      onFound: (found) => this.#index(call, found),
      onPassed: call.again,
      onFailed: (problem) => exchange.reject(problem),
    });
  }

  /** Large bodies are indexed by the pool; all others at once, while their bytes hold. */
  #index(call: BulkCall, found: readonly Found[]): void {
    const { exchange, chosen } = call;
    const { indexes } = this.#parts;
    const items: (readonly Uint8Array[])[] = [];
    let waiting = 1;
    let failed: Problem | null = null;
    const done = (): void => {
      waiting -= 1;
      if (waiting > 0 || exchange.ended) return;
      if (failed === null) this.#assemble(call, items.flat());
      else exchange.reject(failed);
    };
    for (const [at, content] of chosen.contents.entries()) {
      const { slot, parts } = found[at] as Found;
      const problemOfFlag = chosen.problems[at] ?? null;
      if (problemOfFlag !== null || slot === null || parts === null) {
        items[at] = content.flags.map(
          (flag) => (problemOfFlag ?? lineless)(content.id + flag).body,
        );
        continue;
      }
      const document = indexes.document(slot, parts);
      if (document !== null) {
        items[at] = this.#evaluate(content, slot, parts, document, call.nowMs);
        continue;
      }
      waiting += 1;
      indexes.indexed(slot, parts, (indexed) => {
        exchange.corked = false;
        if (indexed instanceof Problem) failed = indexed;
        else items[at] = this.#evaluate(content, slot, parts, indexed, call.nowMs);
        // In a turn of its own: this may be called before all the others have been asked for.
        queueMicrotask(done);
      });
    }
    done();
  }

  #evaluate(
    content: ServedContent,
    slot: RenderSlot,
    { missed }: RenderedParts,
    document: FlagDocument,
    nowMs: number,
  ): readonly Uint8Array[] {
    const { responses } = this.#parts;
    return content.flags.map((flag) => {
      const key = content.id + flag;
      const known = responses.find(slot, key, nowMs);
      if (known !== undefined) return known instanceof FlagMiss ? known.problem.body : known.bytes;
      const pointer = pointerOf(key);
      const range = typeof pointer === 'string' ? pointer : locateFlag(document, pointer);
      if (typeof range === 'string') return flagNotFound(key, range).body;
      const made = makeFlagResponse(key, slot, missed, document, range);
      responses.keep(slot, made);
      return made.bytes;
    });
  }

  #assemble(call: BulkCall, items: readonly Uint8Array[]): void {
    const { exchange } = call;
    const { requests, bytesMax } = this.#parts;
    const bytes = items.reduce((sum, item) => sum + item.byteLength + 1, 0);
    if (!requests.isStillAdmitted(exchange)) {
      exchange.reject(problems.keyInvalid);
    } else if (bytes > bytesMax) {
      exchange.reject(flagsTooLarge(bytesMax));
    } else {
      const body = new BulkBody(items);
      this.#bodies.keep(call.key, body);
      this.#send(call, body);
    }
  }

  #send({ exchange, key, tail, etag }: BulkCall, body: BulkBody): void {
    const isGzip = gzipOrNone(exchange.accepts) === Coding.Gzip;
    const { bytes, coding } = this.#bodies.response(key, body, tail, isGzip);
    exchange.respond(bytes, coding, etag);
  }
}

/** A bulk evaluation under way. */
interface BulkCall {
  readonly exchange: Exchange;
  readonly chosen: Chosen;
  /** The moment that it is chosen for, milliseconds since the epoch. */
  readonly nowMs: number;
  readonly etag: string;
  /** What follows the flags. */
  readonly tail: Uint8Array;
  /** Of the same flags with the same values. */
  readonly key: string;
  /** Begins again, from what is published now. */
  readonly again: () => void;
}

type FlagProblem = (key: string) => Problem;

const lineless: FlagProblem = (key) => flagNotFound(key, noVersionLine);

/** What a player gets, known without rendering. */
interface Chosen {
  readonly contents: readonly ServedContent[];
  readonly slots: readonly (RenderSlot | null)[];
  /** By content: why none of its flags can be evaluated, or null. */
  readonly problems: readonly (FlagProblem | null)[];
  /** Flags, and tags of what they are of. */
  readonly list: string;
  /** What the evaluations say beside that: hashes and version lines. */
  readonly origins: string;
}

/** @returns null when the rules need more work than the caller may cause */
function choose(
  contents: readonly ServedContent[],
  caller: EvaluationContext,
  nowMs: number,
): Chosen | null {
  const slots: (RenderSlot | null)[] = [];
  const problemsOf: (FlagProblem | null)[] = [];
  let list = '';
  let origins = '';
  for (const content of contents) {
    const slot = content.slot(caller, Form.Wrapped, Coding.Identity, nowMs);
    const isMissing = content.isKeyMissing(caller, slot, nowMs);
    if (caller.isOverworked) return null;
    slots.push(isMissing ? null : slot);
    problemsOf.push(isMissing ? targetingKeyMissing : slot === null ? lineless : null);
    list += `${content.flagsTagOf(slot, isMissing)}\n`;
    if (slot !== null) origins += `${slot.line.hash} ${slot.line.versionText}\n`;
  }
  return { contents, slots, problems: problemsOf, list, origins };
}

function problemOf(contents: readonly ServedContent[]): Problem | null {
  let count = 0;
  for (const { flags } of contents) count += flags.length;
  return count > bulkFlagsMax ? tooManyFlags(count, bulkFlagsMax) : null;
}

function tailOf({ text }: SealedToken, sequence: number): Uint8Array {
  const stream = {
    type: 'sse',
    // Without an origin: providers take that of the address they were given.
    endpoint: { requestUri: `/ofrep/v1/stream?token=${text}` },
    inactivityDelaySec,
  };
  return Buffer.from(
    `,"eventStreams":[${JSON.stringify(stream)}],"metadata":{"sequence":${sequence}}}`,
  );
}
