/** A launch storm: every request on a connection of its own. (autocannon counts no response after which it reconnects.) */
import type { LoadPlan, LoadResult } from './load-plan.js';
import { LoadTally } from './load-tally.js';
import { RawConnection } from './raw-connection.js';
import type { RequestSource } from './request-source.js';

export async function stormLoad(
  plan: LoadPlan,
  source: RequestSource,
  seconds: number,
): Promise<LoadResult> {
  const tally = new LoadTally();
  const endsAt = performance.now() + seconds * 1000;

  const arrive = (): Promise<void> => {
    const connection = new RawConnection(plan, source);
    const startedAt = performance.now();
    return new Promise((resolve) => {
      connection.send(source.next(), (status, matched) => {
        connection.close();
        if (status === 0) tally.errors += 1;
        else tally.count(status, performance.now() - startedAt, matched);
        resolve();
      });
    });
  };
  const keepArriving = async (): Promise<void> => {
    while (performance.now() < endsAt) await arrive();
  };
  await Promise.all(Array.from({ length: plan.shape.connections }, keepArriving));
  return tally.result();
}
