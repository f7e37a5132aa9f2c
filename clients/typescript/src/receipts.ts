/** Sends receipts: whether a configuration that a response asked about reached `ready`. One after the other. */
import { post } from './exchange.js';
import type { Run } from './run.js';

const attemptsMax = 4;
const retrySecondsMax = 300;

export class Receipts {
  private readonly run: Run;
  private readonly waiting: { body: object; attempts: number }[] = [];
  /** Ends the request that is under way, or the delay before the next one. */
  private cancel: (() => void) | null = null;

  constructor(run: Run) {
    this.run = run;
  }

  add(user: string, receipt: unknown, isOk: boolean): void {
    this.waiting.push({ body: { u: user, receipt, ok: isOk }, attempts: 0 });
    this.send();
  }

  send(): void {
    const { run } = this;
    const [first] = this.waiting;
    if (this.cancel || !first || !run.isActive || run.isKeyRejected) return;
    first.attempts += 1;
    this.cancel = post(run, 'receipts', first.body, {}, (outcome) => {
      const isOver = !('code' in outcome) || outcome.isFinal || first.attempts === attemptsMax;
      if (isOver) this.waiting.shift();
      const ms = isOver ? 0 : run.backoffMs(first.attempts, retrySecondsMax) + outcome.retryAfterMs;
      this.cancel = run.clock.setTimer(
        () => {
          this.cancel = null;
          this.send();
        },
        ms,
        true,
      );
    });
  }

  halt(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
