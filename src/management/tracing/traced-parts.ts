/** Parts of a server whose work appears in the traces of the requests that it is done for. */
import type { Fleet } from '../fleet/fleet.js';
import type { Work } from '../jobs/work.js';
import type { AroundWrite } from '../store/store.js';
import type { Tracing } from './tracing.js';

/** The transaction, and the wait for its turn. */
export function tracedWrites(tracing: Tracing): AroundWrite {
  return (write) =>
    tracing.inSpan('store write', {}, async (span) => {
      const written = await write();
      span?.set({ 'loadout.sequence': written.sequence });
      return written;
    });
}

/** Tasks in workers: checks against schemas, evaluations of many players and the like. What is small has no span. */
export function tracedWork(work: Work, tracing: Tracing): Work {
  return {
    tasks: work.tasks,
    run: (name, input, options) =>
      tracing.inSpan(`work ${name}`, {}, () => work.run(name, input, options)),
  };
}

/** The wait of a request with `?wait=fleet`. */
export function tracedFleet(fleet: Fleet, tracing: Tracing): Fleet {
  return {
    nodes: () => fleet.nodes(),
    status: () => fleet.status(),
    wait: (sequence, msMax) =>
      tracing.inSpan('wait for fleet', { 'loadout.sequence': sequence }, async (span) => {
        const response = await fleet.wait(sequence, msMax);
        span?.set({
          'loadout.fleet.acknowledged': response.acknowledged.length,
          'loadout.fleet.missing': response.missing.length,
        });
        return response;
      }),
  };
}
