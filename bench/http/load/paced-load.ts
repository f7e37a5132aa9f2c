/**
 * An open loop: requests are sent at a steady rate, whatever the responses do, so that a stall of the server is felt by
 * everyone who would have called meanwhile. Those who find every connection busy are counted as unsent.
 */
import type { LoadPlan, LoadResult } from './load-plan.js';
import { LoadTally } from './load-tally.js';
import { RawConnection } from './raw-connection.js';
import type { RequestSource } from './request-source.js';

/** The timer that sends what is due fires once a millisecond, and at times a little later: no request counts as late before this. */
const tickMsMax = 2;

export async function pacedLoad(
  plan: LoadPlan,
  perSecond: number,
  source: RequestSource,
  seconds: number,
  ending: AbortSignal,
): Promise<LoadResult> {
  const tally = new LoadTally();
  const free = Array.from(
    { length: plan.shape.connections },
    () => new RawConnection(plan, source),
  );
  const all = [...free];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let due = 0;
  let underWay = 0;

  const { shape } = plan;
  const fromDue = shape.kind === 'paced' && shape.fromDue === true;
  const send = (dueAt: number): void => {
    const connection = free.pop();
    if (connection === undefined) {
      tally.unsent += 1;
      return;
    }
    underWay += 1;
    const sentAt = performance.now();
    const since = fromDue && sentAt - dueAt > tickMsMax ? dueAt : sentAt;
    connection.send(source.next(), (status, matched) => {
      underWay -= 1;
      free.push(connection);
      if (status === 0) tally.errors += 1;
      else tally.count(status, performance.now() - since, matched);
    });
  };

  for (;;) {
    const now = performance.now();
    if (now >= endsAt || ending.aborted) break;
    const dueByNow = Math.floor(((now - startedAt) * perSecond) / 1000);
    for (; due < dueByNow; due += 1) send(startedAt + ((due + 1) * 1000) / perSecond);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  // Who still waits is counted as such: their responses come too late to count as answered within the time.
  tally.unanswered = underWay;
  const result = tally.result();
  for (const connection of all) connection.close();
  return result;
}
