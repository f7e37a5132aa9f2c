/** Counts requests by environment and rejected ones by reason, for people. Memory and time are bounded whatever clients send. */
import { contentIdOf } from '../content/flags/flag-key.js';
import { FrequentItems } from '../content/sketch/frequent-items.js';
import {
  type RejectedItems,
  type RequestReport,
  rejectionText,
} from '../published/request-report.js';
import {
  keyCharactersMax,
  rejectedContentCharsMax,
  rejectionsKeyedMax,
  rejectionsUnkeyedMax,
} from './limits.js';
import type { Problem } from './problems.js';
import type { ApiKeys } from './published/api-keys.js';
import type { PublishedIndex, ServedEnvironment } from './published/published-index.js';

/** A request, as far as it came. */
export interface RejectedRequest {
  readonly environment: ServedEnvironment | null;
  /** The key that it was admitted with; '': none. */
  readonly key: string;
  /** The key that it was rejected for; '': none. */
  readonly wrongKey: string;
  /** Id of the content that was requested; '': none. */
  readonly content: string;
  /** OFREP's. */
  readonly flagKey: string | null;
}

type Counted = [environment: string, code: string, status: number, count: number];

/** What the last request was rejected for. */
interface LastReason {
  readonly counted: Counted;
  readonly keyHash: string;
  readonly content: string;
  /** `rejectionText` of all that. */
  readonly text: string;
}

type EnvironmentRequests = Pick<PublishedIndex, 'takeRequests' | 'key'>;

export class Rejections {
  readonly #keys: Pick<ApiKeys, 'hashOf'>;
  readonly #index: EnvironmentRequests;
  readonly #keyed = new FrequentItems(rejectionsKeyedMax);
  readonly #unkeyed = new FrequentItems(rejectionsUnkeyedMax);
  /** By environment, code and status. */
  #counts = new Map<string, Counted>();
  /** Rejected requests come in rows of the same: what is known of the last serves the next. */
  #last: LastReason | null = null;
  /** Requests without an environment since the last report. */
  requestsUnkeyed = 0;

  constructor(keys: Pick<ApiKeys, 'hashOf'>, index: EnvironmentRequests) {
    this.#keys = keys;
    this.#index = index;
  }

  /** Only rejected requests pay for it. The request was counted before. */
  note(problem: Problem, request: RejectedRequest): void {
    const keyHash = this.#keyHash(request);
    // Of an expired key, or one that makes too many requests, the environment is known, although it was not admitted.
    const served = request.environment ?? this.#index.key(keyHash)?.environment ?? null;
    const environment = served?.id ?? '';
    if (request.environment === null && served !== null) {
      this.requestsUnkeyed -= 1;
      served.requests += 1;
    }
    const content = served === null ? '' : contentOf(request);
    const { counted, text } = this.#reason(problem, environment, keyHash, content);
    counted[3] += 1;
    (served === null ? this.#unkeyed : this.#keyed).add(text, 1, Date.now());
  }

  /** What was counted since this was asked last; null: nothing. */
  take(): RequestReport | null {
    const requests: [string, number][] = this.#index.takeRequests();
    if (this.requestsUnkeyed > 0) requests.push(['', this.requestsUnkeyed]);
    this.requestsUnkeyed = 0;
    const rejected = [...this.#counts.values()];
    this.#counts = new Map();
    this.#last = null;
    const [keyed, unkeyed] = [taken(this.#keyed), taken(this.#unkeyed)];
    return requests.length + rejected.length === 0 ? null : { requests, rejected, keyed, unkeyed };
  }

  #keyHash({ environment, key, wrongKey }: RejectedRequest): string {
    const text = environment === null && key === '' ? wrongKey : key;
    return text === '' || text.length > keyCharactersMax ? '' : this.#keys.hashOf(text);
  }

  #reason(problem: Problem, environment: string, keyHash: string, content: string): LastReason {
    const { code, status } = problem;
    const last = this.#last;
    const isCounted =
      last?.counted[0] === environment && last.counted[1] === code && last.counted[2] === status;
    if (isCounted && last.keyHash === keyHash && last.content === content) return last;
    const counted = isCounted ? last.counted : this.#countedFor(environment, code, status);
    const text = rejectionText({ code, status, environment, keyHash, content });
    this.#last = { counted, keyHash, content, text };
    return this.#last;
  }

  #countedFor(environment: string, code: string, status: number): Counted {
    const name = `${environment}\n${code}\n${status}`;
    const counted: Counted = this.#counts.get(name) ?? [environment, code, status, 0];
    this.#counts.set(name, counted);
    return counted;
  }
}

function contentOf({ content, flagKey }: RejectedRequest): string {
  const id = content === '' && flagKey !== null ? contentIdOf(flagKey) : content;
  return id.length > rejectedContentCharsMax ? id.slice(0, rejectedContentCharsMax) : id;
}

function taken(items: FrequentItems): RejectedItems {
  const report = {
    items: Array.from(items.items(), ({ item, count, lastMs }) => [item, count, lastMs] as const),
    offset: items.offset,
  };
  items.clear();
  return report;
}
