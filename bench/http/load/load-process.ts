/** Entry point of the load generator: a process of its own, so that its time is not the server's. */
import { closedLoad } from './closed-load.js';
import type { FromLoad, LoadPlan, LoadResult, ToLoad } from './load-plan.js';
import { pacedLoad } from './paced-load.js';
import { openSource, type RequestSource } from './request-source.js';
import { stormLoad } from './storm-load.js';

let plan: LoadPlan | null = null;
let source: RequestSource | null = null;
const ending = new AbortController();

const send = (message: FromLoad): void => {
  process.send?.(message);
};

function load(seconds: number): Promise<LoadResult> {
  if (plan === null || source === null) throw new Error('A load needs its plan first.');
  switch (plan.shape.kind) {
    case 'closed':
      return closedLoad(plan, source, seconds);
    case 'storm':
      return stormLoad(plan, source, seconds);
    case 'paced':
      return pacedLoad(plan, plan.shape.perSecond, source, seconds, ending.signal);
  }
}

async function obey(message: ToLoad): Promise<void> {
  switch (message.type) {
    case 'plan':
      plan = message.plan;
      source = openSource(plan.requests);
      send({ type: 'ready' });
      return;
    case 'load':
      send({ type: 'loaded', result: await load(message.seconds) });
      return;
    case 'stop':
      ending.abort();
      return;
  }
}

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  obey(message as ToLoad).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
