/** Takes receipts that clients send back: whether a game has started with the configuration that it was given. */
import type { Exchange } from '../http/exchange.js';
import type { RequestBody } from '../http/request-body.js';
import { SenderRates } from '../http/sender-rates.js';
import {
  keysVerifiedMax,
  receiptNetworksMax,
  receiptsBurstMax,
  receiptsPerKeyBurstMax,
  receiptsPerKeyPerSecondMax,
  receiptsPerSecondMax,
} from '../limits.js';
import { type Problem, problems } from '../problems.js';
import { Coding } from '../render/render-task.js';
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
  readonly rates: SenderRates = new SenderRates(
    {
      burst: receiptsBurstMax,
      perSecond: receiptsPerSecondMax,
      sendersMax: receiptNetworksMax,
      problem: problems.receiptsTooMany,
    },
    {
      burst: receiptsPerKeyBurstMax,
      perSecond: receiptsPerKeyPerSecondMax,
      sendersMax: keysVerifiedMax,
      problem: problems.receiptsOfKeyTooMany,
    },
  );

  constructor(tokens: ReceiptTokens, counts: ReceiptCounts) {
    this.#tokens = tokens;
    this.#counts = counts;
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
