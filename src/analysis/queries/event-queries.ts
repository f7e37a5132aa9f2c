/** Answers the requests of the control process from the events that there are. */
import { createHash } from 'node:crypto';
import type {
  AnalysisRequest,
  AnalysisStatistics,
  BaselineRequest,
  BaselineStatistics,
  EventNames,
  EventNamesRequest,
} from '../messages.js';
import type { EventSource, Events } from '../storage/event-source.js';
import { analyse } from './analyse.js';
import { baseline } from './baseline.js';
import { withDuckdbEvents } from './duckdb-events.js';
import type { EventDatabase } from './event-database.js';
import { eventNames } from './event-names.js';
import { postgresEvents, postgresFingerprint } from './postgres-events.js';
import type { ResultCache } from './result-cache.js';

export class EventQueries {
  readonly #source: EventSource;
  readonly #results: ResultCache;

  constructor(source: EventSource, results: ResultCache) {
    this.#source = source;
    this.#results = results;
  }

  analyse(request: AnalysisRequest): Promise<AnalysisStatistics> {
    return this.#source.read(request.environment, async (events) => {
      const fingerprint = await fingerprintOf(events);
      const known = await this.#results.find(request, fingerprint);
      if (known !== null) return known;
      const startedMs = performance.now();
      const queried = await ask(events, (database) => analyse(database, request));
      const more = { fingerprint, cached: false, computedAtMs: request.nowMs };
      const statistics = { ...queried, ...more };
      await this.#results.keep(request, statistics, performance.now() - startedMs);
      return statistics;
    });
  }

  baseline(request: BaselineRequest): Promise<BaselineStatistics> {
    return this.#source.read(request.environment, (events) =>
      ask(events, (database) => baseline(database, request)),
    );
  }

  names(request: EventNamesRequest): Promise<EventNames> {
    return this.#source.read(request.environment, (events) =>
      ask(events, (database) => eventNames(database, request)),
    );
  }
}

/** Of the source's, which can be long. */
async function fingerprintOf(events: Events): Promise<string> {
  const own =
    events.kind === 'duckdb' ? events.fingerprint : await postgresFingerprint(events.client);
  return createHash('sha256').update(own).digest('hex');
}

async function ask<Result>(
  events: Events,
  question: (database: EventDatabase) => Promise<Result>,
): Promise<Result> {
  if (events.kind === 'postgres') return question(await postgresEvents(events.client));
  const mayRepeat = !(await events.showOnce());
  return withDuckdbEvents(events.connection, mayRepeat, question);
}
