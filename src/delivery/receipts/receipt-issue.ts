/** Gives receipts to users of ramps, and counts the starts of their games. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Exchange } from '../http/exchange.js';
import { receiptEntriesMax } from '../limits.js';
import type { ServedContent } from '../render/served-content.js';
import type { ReceiptCounts } from './receipt-counts.js';
import type { ReceiptEntry, ReceiptTokens } from './receipt-tokens.js';

type Contents = readonly (ServedContent | null)[];

export class ReceiptIssue {
  readonly #tokens: ReceiptTokens;
  readonly #counts: ReceiptCounts;

  constructor(tokens: ReceiptTokens, counts: ReceiptCounts) {
    this.#tokens = tokens;
    this.#counts = counts;
  }

  /** The receipt of a complete response; '': the caller is in no slice of a ramp that collects them. */
  receiptOf(environmentId: string, contents: Contents, caller: EvaluationContext): string {
    const entries = entriesOf(contents, caller);
    if (entries.length === 0) return '';
    return this.#tokens.seal(
      environmentId,
      this.#tokens.userHash(environmentId, caller.u),
      entries,
    );
  }

  /** A game of the caller starts. */
  started(
    { network }: Pick<Exchange, 'network'>,
    environment: string,
    contents: Contents,
    caller: EvaluationContext,
    nowMs: number,
  ): void {
    const entries = entriesOf(contents, caller);
    if (entries.length === 0) return;
    const userHash = this.#tokens.userHash(environment, caller.u);
    const networkHash = this.#tokens.networkHash(environment, network);
    this.#counts.started({ environment, userHash, networkHash }, entries, nowMs);
  }
}

/** The steps that the caller is in a slice of, each once. */
function entriesOf(contents: Contents, caller: EvaluationContext): ReceiptEntry[] {
  const entries: ReceiptEntry[] = [];
  if (caller.u === '') return entries;
  for (const content of contents) {
    if (!content?.ramp?.receipts) continue;
    const { release, run, step } = content.ramp;
    if (entries.some((one) => one.release === release)) continue;
    const slice = content.sliceFor(caller);
    if (slice !== null) entries.push({ release, run, step, slice });
    if (entries.length >= receiptEntriesMax) break;
  }
  return entries;
}
