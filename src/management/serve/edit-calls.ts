/** Counts calls of the admin API that publish, by how they ended, and how long those took that were saved. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminApp } from '../http/context.js';
import { type Gauge, histogram, type Metric, metric, sample } from '../metrics/definition.js';
import { editBoundsSeconds, Histogram, type HistogramReading } from '../metrics/histogram.js';

const edits = metric({
  name: 'loadout_edits_total',
  help: 'Edits over the admin API that publish: `saved` and served; `rejected` (4xx); `failed` (5xx, or the client was gone), which may be saved all the same. Checks that save nothing count only if they are rejected.',
  labels: ['outcome'],
});
const seconds = histogram({
  name: 'loadout_edit_seconds',
  help: 'Edits that were saved: from the head of the request to the end of the response, with the wait for all servers where the client asked for it.',
});

export const editCallMetrics: readonly Metric[] = [edits, seconds];

type Outcome = 'saved' | 'rejected' | 'failed';

export class EditCalls {
  readonly #counts: Record<Outcome, number> = { saved: 0, rejected: 0, failed: 0 };
  readonly #times = new Histogram(seconds, editBoundsSeconds);

  /** Counts the calls of all routes that are added afterwards. */
  register(app: AdminApp): void {
    app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) =>
      this.#note(request, reply),
    );
  }

  gauges(): Gauge[] {
    return Object.entries(this.#counts).map(([outcome, count]) =>
      sample(edits, count, { outcome }),
    );
  }

  get times(): HistogramReading {
    return this.#times.read();
  }

  #note({ routeOptions, committed }: FastifyRequest, reply: FastifyReply): void {
    if (routeOptions.config.publishes !== true) return;
    const outcome = outcomeOf(committed !== null, reply);
    if (outcome === null) return;
    this.#counts[outcome] += 1;
    if (outcome === 'saved') this.#times.note(reply.elapsedTime / 1_000);
  }
}

/** Null: nothing was to be saved, or nothing changed. */
function outcomeOf(isCommitted: boolean, { statusCode, raw }: FastifyReply): Outcome | null {
  if (isCommitted) return 'saved';
  if (statusCode >= 500 || !raw.headersSent) return 'failed';
  return statusCode >= 400 ? 'rejected' : null;
}
