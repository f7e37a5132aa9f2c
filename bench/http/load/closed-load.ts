/** A closed loop over keep-alive connections, driven by autocannon; every answer is compared. */
import autocannon, { type Client } from 'autocannon';
import type { LoadPlan, LoadResult } from './load-plan.js';
import { LoadTally } from './load-tally.js';
import type { RequestSource } from './request-source.js';
import { AnswerCheck } from './response-check.js';

const timeoutSeconds = 10;

export async function closedLoad(
  plan: LoadPlan,
  source: RequestSource,
  seconds: number,
): Promise<LoadResult> {
  const tally = new LoadTally();

  const setupClient = (client: Client): void => {
    const check = new AnswerCheck(source.answers(), plan.compare);
    let request = 0;
    const take = (): { path: string; body: string } => {
      request = source.next();
      return { path: source.path(request), body: source.body(request) };
    };
    // A request that never changes is built once; others when their turn comes.
    if (source.count === 1) client.setRequests([take()]);
    else client.setRequests([{ setupRequest: (defaults) => ({ ...defaults, ...take() }) }]);

    // autocannon would join each answer to a string, chunk by chunk: slow, and wrong for binary bodies.
    const queue = client.pipelinedRequests;
    const insert = queue.insertRequest.bind(queue);
    queue.insertRequest = (inserted) => {
      check.begin(request);
      insert(inserted);
    };
    queue.addBody = (chunk) => check.take(chunk);
    client.on('response', (status, _bytes, milliseconds) => {
      tally.answered(status, milliseconds, check.matched());
    });
  };

  const scheme = plan.secure ? 'https' : 'http';
  const { errors } = await autocannon({
    url: plan.url ?? `${scheme}://127.0.0.1:${plan.port}`,
    method: 'POST',
    headers: { ...plan.headers },
    connections: plan.shape.connections,
    pipelining: 1,
    duration: seconds,
    sampleInt: 50,
    timeout: timeoutSeconds,
    setupClient,
  });
  tally.errors = errors;
  return tally.result();
}
