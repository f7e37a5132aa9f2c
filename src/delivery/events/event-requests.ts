/** `POST /api/v1/events`: takes exposures and metric events that clients and game servers report, and hands them to the log. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { KeyPurpose } from '../../published/change.js';
import type { EventAttribute, EventLine } from '../../published/event-line.js';
import type { Exchange } from '../http/exchange.js';
import type { RequestBody } from '../http/request-body.js';
import { RequestRates } from '../http/request-rates.js';
import { SenderRates } from '../http/sender-rates.js';
import {
  eventAttributesCharsMax,
  eventNetworksMax,
  eventsBurstMax,
  eventsPerKeyBurstMax,
  eventsPerKeyPerSecondMax,
  eventsPerSecondMax,
  eventsPerUserBurstMax,
  eventsPerUserPerSecondMax,
  eventsRetrySecondsMax,
  eventsRetrySecondsMin,
  eventUserCharsMax,
  eventUsersMax,
  keysVerifiedMax,
} from '../limits.js';
import { type Problem, problems } from '../problems.js';
import type { ServedEnvironment } from '../published/published-index.js';
import type { EventCounts } from './event-counts.js';
import type { EventLog } from './event-log.js';
import { EventNames } from './event-names.js';
import { type Refusal, refusals } from './refusals.js';
import { isText, type Reporter, TakenEvents } from './taken-events.js';

interface EventRequestsParts {
  /** Null: events are off. */
  readonly log: Pick<EventLog, 'append' | 'isBlocked'> | null;
  readonly counts: EventCounts;
  /** Names of attributes that are stored. */
  readonly attributes: readonly string[];
}

export class EventRequests {
  readonly #parts: EventRequestsParts;
  readonly #names = new EventNames();
  readonly #rates = new SenderRates(
    {
      burst: eventsBurstMax,
      perSecond: eventsPerSecondMax,
      sendersMax: eventNetworksMax,
      problem: problems.eventsTooMany,
    },
    {
      burst: eventsPerKeyBurstMax,
      perSecond: eventsPerKeyPerSecondMax,
      sendersMax: keysVerifiedMax,
      problem: problems.eventsOfKeyTooMany,
    },
  );
  readonly #userRates = new RequestRates({
    burst: eventsPerUserBurstMax,
    perSecond: eventsPerUserPerSecondMax,
    sendersMax: eventUsersMax,
  });

  constructor(parts: EventRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Counts a request, before its body is read. An events key belongs to servers of the studio, whose few addresses send
   * much, so their networks do not count.
   * @returns why it may not be made, or null
   */
  refusal(exchange: Exchange, purpose: KeyPurpose): Problem | null {
    const { key, startedAtMs } = exchange;
    const refusal =
      purpose === 'game'
        ? this.#rates.refusal(exchange.network, key, startedAtMs)
        : this.#rates.refusalOfKey(key, startedAtMs);
    if (refusal !== null) return refusal;
    return this.#parts.log?.isBlocked === true ? unstored(exchange) : null;
  }

  /**
   * @param purpose of the request's key
   * @param nowMs milliseconds since the epoch
   * @returns why the whole request is rejected, or null: the response is written
   */
  respond(
    exchange: Exchange,
    purpose: KeyPurpose,
    caller: EvaluationContext,
    { events }: RequestBody,
    nowMs: number,
  ): Problem | null {
    const { environment } = exchange;
    if (environment === null) return problems.keyInvalid;
    if (!Array.isArray(events)) return problems.eventsInvalid;
    const refusal = this.#refusalOfAll(environment, caller.u);
    const isCounted = refusal === null && purpose === 'game';
    if (isCounted && !this.#allows(environment.id, caller.u, events.length)) {
      return problems.eventsOfUserTooMany;
    }
    const taken =
      refusal !== null
        ? TakenEvents.none(events, refusal)
        : TakenEvents.of(events, this.#reporter(environment, caller, purpose, nowMs));
    if (taken.taken > 0 && this.#parts.log?.append(taken.lines) !== true) return unstored(exchange);
    this.#parts.counts.add(taken, purpose);
    exchange.accept(responseOf(taken));
    return null;
  }

  #reporter(
    environment: ServedEnvironment,
    { u, p }: EvaluationContext,
    purpose: KeyPurpose,
    nowMs: number,
  ): Reporter {
    const receivedAtMs = Math.floor(nowMs);
    const k = purpose === 'events' ? 1 : 0;
    return {
      before: beforeEvent({ r: receivedAtMs, env: environment.id, u, k }),
      after: this.#afterEvent(p),
      receivedAtMs,
      admitsName: (name) => this.#names.admits(environment, name, nowMs),
    };
  }

  #refusalOfAll(environment: ServedEnvironment, u: string): Refusal | null {
    if (!environment.settings.takesEvents) return refusals.notTaken;
    if (u === '') return refusals.userMissing;
    return isText(u, eventUserCharsMax) ? null : refusals.userInvalid;
  }

  #allows(environment: string, u: string, count: number): boolean {
    return this.#userRates.allows(`${environment}/${u}`, performance.now(), count);
  }

  /** The rest of each line: the listed attributes that fit, in their order. */
  #afterEvent(p: EvaluationContext['p']): string {
    let text = '';
    for (const name of this.#parts.attributes) {
      const value = Object.hasOwn(p, name) ? p[name] : undefined;
      if (!isAttribute(value)) continue;
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      if (text.length + member.length > eventAttributesCharsMax) continue;
      text += text === '' ? member : `,${member}`;
    }
    return text === '' ? '}\n' : `,"p":{${text}}}\n`;
  }
}

function beforeEvent({ r, env, u, k }: Pick<EventLine, 'r' | 'env' | 'u' | 'k'>): string {
  return `{"r":${r},"env":${JSON.stringify(env)},"u":${JSON.stringify(u)},"k":${k},"e":`;
}

function isAttribute(value: unknown): value is EventAttribute {
  if (typeof value === 'string') return !value.includes('\0');
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || value === null;
}

/** Nothing of the request is taken: the client keeps its events until there is room again. */
function unstored(exchange: Exchange): Problem {
  const spread = eventsRetrySecondsMax - eventsRetrySecondsMin + 1;
  exchange.retryAfter = String(eventsRetrySecondsMin + Math.floor(Math.random() * spread));
  return problems.eventsNotStored;
}

function responseOf({ taken, rejected }: TakenEvents): Uint8Array {
  return Buffer.from(`{"taken":${taken},"rejected":${JSON.stringify(rejected)}}`);
}
