/** Events: their state, exports of them, and users who are forgotten. */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import {
  type EventsStatusJson,
  exportEvents,
  forgetUser,
  getEventsStatus,
  listEventNames,
} from '../../contract/operations/events.js';
import { mayOperate } from '../http/auth/environment-scope.js';
import { actorOf } from '../http/commit.js';
import type { AdminContext } from '../http/context.js';
import { type Handler, handle } from '../http/handlers.js';
import { eventNamesDays, eventNamesMax } from '../limits/experiments.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { toIso } from '../to-iso.js';
import type { EventsStatus } from './analysis-client.js';

export const eventHandlers: readonly Handler[] = [
  handle(getEventsStatus, async ({ context, user }) => {
    const { detail, ...status } = statusJson(context.analysis.status());
    // It may name files and servers.
    return { ...status, detail: mayOperate(user) ? detail : null };
  }),

  handle(listEventNames, async ({ context, params: { env } }) => {
    if (!(await isThere(context, env))) return environmentUnknown(env);
    const request = { days: eventNamesDays, nowMs: context.now(), namesMax: eventNamesMax };
    const { names, isCut } = await context.analysis.eventNames({ environment: env, ...request });
    return { names, namesCut: isCut };
  }),

  handle(exportEvents, async ({ context, params: { env }, query, request, reply }) => {
    const { table, format, from = null, to = null } = query;
    const wanted = { environment: env, table, format, from, to };
    const { path, rows } = await context.analysis.exportEvents(wanted);
    try {
      if (rows === 0 && !(await isThere(context, env))) return environmentUnknown(env);
      const file = await open(path, 'r');
      const { size } = await file.stat();
      await context.store.write(actorOf(request), (write) =>
        write.audit('events.export', env, '', { table, format, from, to, bytes: size }),
      );
      reply
        .type('application/octet-stream')
        .header('content-length', size)
        .header('content-disposition', `attachment; filename="${table}.${format}"`);
      // The stream closes the file; without a name, its room is free again from then on, whatever happens.
      return reply.send(createReadStream('', { fd: file }));
    } finally {
      await rm(path, { force: true });
    }
  }),

  handle(forgetUser, async ({ context, params: { env }, body: { u }, request }) => {
    const rows = await context.analysis.forget(env, u);
    if (rows === 0 && !(await isThere(context, env))) return environmentUnknown(env);
    // Not whom: the audit outlives the user.
    await context.store.write(actorOf(request), (write) =>
      write.audit('events.forget', env, '', { rows }),
    );
    return { rows };
  }),
];

/** Events of an environment outlive it, until retention: they stay in reach of those who have to remove or copy them. */
async function isThere({ store }: AdminContext, environment: string): Promise<boolean> {
  return (await store.read((db) => findEnvironment(db, environment))) !== null;
}

function statusJson({ to, backlog, counts, failure }: EventsStatus): EventsStatusJson {
  const { storedBytes, rows } = counts;
  return {
    to,
    state: to === 'off' ? 'off' : stateOf(failure),
    detail: failure?.detail ?? null,
    failingSince: failure === null ? null : toIso(failure.sinceMs),
    storedAt: counts.storedAtMs === null ? null : toIso(counts.storedAtMs),
    waiting: {
      files: backlog.files,
      bytes: backlog.bytes,
      oldestAt: backlog.oldestAtMs === null ? null : toIso(backlog.oldestAtMs),
    },
    sinceStart: {
      events: counts.events,
      exposures: rows.exposures,
      metricEvents: rows.metric_events,
      withoutExperiment: counts.withoutExperiment,
      unreadable: counts.unreadable,
      filesSetAside: counts.setAside,
      filesDropped: counts.droppedFiles,
      failures: counts.failures,
    },
    stored:
      storedBytes === null
        ? null
        : {
            exposuresBytes: storedBytes.exposures,
            metricEventsBytes: storedBytes.metric_events,
          },
  };
}

function stateOf(failure: EventsStatus['failure']): EventsStatusJson['state'] {
  if (failure === null) return 'ok';
  return failure.reason === 'failed' ? 'failing' : failure.reason;
}
