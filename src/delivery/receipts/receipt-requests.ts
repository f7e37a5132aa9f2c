/** Takes receipts that clients send back: whether a game has started with the configuration that it was given. */
import type { Exchange } from '../http/exchange.js';
import type { RequestBody } from '../http/request-body.js';
import { receiptNetworksMax, receiptsBurstMax, receiptsPerSecondMax } from '../limits.js';
import { type Problem, problems } from '../problems.js';
import { Coding } from '../render/render-task.js';
import { NetworkRates } from './network-rates.js';
import type { ReceiptCounts } from './receipt-counts.js';
import type { ReceiptTokens } from './receipt-tokens.js';

/** The body of a request. */
export interface Receipt {
  readonly u: string;
  readonly receipt: string;
  readonly ok: boolean;
}

/** @returns why the body is rejected, otherwise */
export function parseReceipt(body: RequestBody): Receipt | Problem {
  const { u, receipt, ok } = body;
  if (typeof u !== 'string' || u === '') return problems.receiptUserInvalid;
  if (typeof receipt !== 'string') return problems.receiptTextInvalid;
  if (typeof ok !== 'boolean') return problems.okInvalid;
  return { u, receipt, ok };
}

export class ReceiptRequests {
  readonly #tokens: ReceiptTokens;
  readonly #counts: ReceiptCounts;
  readonly #rates = new NetworkRates({
    burst: receiptsBurstMax,
    perSecond: receiptsPerSecondMax,
    networksMax: receiptNetworksMax,
  });

  constructor(tokens: ReceiptTokens, counts: ReceiptCounts) {
    this.#tokens = tokens;
    this.#counts = counts;
  }

  /** Counts a request of a client network. @returns why it may not be made, or null */
  refusal(network: string): Problem | null {
    return this.#rates.allows(network, performance.now()) ? null : problems.receiptsTooMany;
  }

  /** @param network see `ClientNetworks` */
  respond(exchange: Exchange, { u, receipt, ok }: Receipt, network: string): void {
    const { environment } = exchange;
    if (environment === null) {
      exchange.reject(problems.keyInvalid);
      return;
    }
    const userHash = this.#tokens.userHash(environment.id, u);
    const entries = this.#tokens.open(receipt, environment.id, userHash);
    if (entries === null) {
      exchange.reject(problems.receiptInvalid);
      return;
    }
    const networkHash = this.#tokens.networkHash(environment.id, network);
    this.#counts.reported({ environment: environment.id, userHash, networkHash }, entries, ok);
    exchange.respond(taken, Coding.Identity, '');
  }
}

const taken = Buffer.from('{}');
