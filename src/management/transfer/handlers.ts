/** Transfer: an environment exported and imported as a stream of lines. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { exportsAtOnceMax } from '../../contract/limits.js';
import { jsonType, ndjsonType } from '../../contract/media-types.js';
import * as operations from '../../contract/operations/transfer.js';
import { Problem } from '../../contract/problems.js';
import { confirmationJson, confirmRequestOf } from '../guards/confirmation.js';
import { type BodyReader, declaredBytes, takeShare } from '../http/body/read-body.js';
import { sendStream } from '../http/body/send-stream.js';
import { actorOf, commit } from '../http/commit.js';
import { type Call, type Handler, handle } from '../http/handlers.js';
import { exportStalledMsMax, importBytesMax, transferLineBytesMax } from '../limits/transfer.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { baselinePieces } from './baseline.js';
import { exportLines } from './export-lines.js';
import { type ImportOutcome, importEnvironment, previewImport } from './import-environment.js';
import { reportImport } from './import-report.js';
import { rejectUnplanned } from './plan-id.js';
import type { ImportMode } from './plan-import.js';
import type { LineRoom } from './reading/line-batches.js';

/** Handlers that share a count of the exports under way. */
export function transferHandlers(): readonly Handler[] {
  let exportsUnderWay = 0;

  /** Null: it may begin. */
  function beginExport(reply: FastifyReply): Problem | null {
    if (exportsUnderWay >= exportsAtOnceMax) {
      const detail = `${exportsAtOnceMax} exports are under way already; try again soon.`;
      return new Problem('limit_reached', detail);
    }
    exportsUnderWay += 1;
    // The socket emits it after its reader has taken nothing for this long.
    reply.raw.setTimeout(exportStalledMsMax, () => reply.raw.destroy());
    reply.raw.once('close', () => {
      exportsUnderWay -= 1;
    });
    return null;
  }

  return [
    handle(operations.exportEnvironment, async ({ params, query, context, reply }) => {
      const { store } = context;
      const drafts = query.drafts === 'true';
      const environment = await store.read((db) => findEnvironment(db, params.env));
      if (environment === null) return environmentUnknown(params.env);
      const tooMany = beginExport(reply);
      if (tooMany !== null) return tooMany;
      const lines = store.readStream((db) => exportLines(db, { environment, drafts }));
      return sendStream(reply, ndjsonType, lines);
    }),

    handle(operations.exportBaseline, async ({ params, query, context, reply }) => {
      const { store } = context;
      const found = await store.read((db) => findEnvironment(db, params.env));
      if (found === null) return environmentUnknown(params.env);
      const tooMany = beginExport(reply);
      if (tooMany !== null) return tooMany;
      const options = { environment: found.id, appVersion: query.appVersion ?? null };
      const pieces = store.readStream((db) => baselinePieces(db, options));
      return sendStream(reply, jsonType, pieces);
    }),

    handle(operations.importEnvironment, async (call) => {
      const { params, query, body, context } = call;
      const { mode, plan = null } = query;
      const dryRun = query.dryRun === 'true';
      const environment = await context.store.read((db) => findEnvironment(db, params.env));
      if (environment === null) return environmentUnknown(params.env);
      // Checked again within the transaction; here it spares the sender the whole upload.
      const hasty = dryRun ? null : rejectUnplanned(environment, actorOf(call.request), plan);
      if (hasty !== null) return hasty;
      const outcome = await readFile(call, mode, plan, dryRun).catch((error: unknown) => {
        // The rest is discarded while the problem is sent.
        body.resume();
        throw error;
      });
      if (!body.readableEnded) await readAway(body);
      if (outcome instanceof Problem) return outcome;
      const report = { mode, dryRun, ...reportImport(outcome) };
      return dryRun ? { ...report, confirmation: confirmationJson(outcome.found) } : report;
    }),
  ];
}

function readFile(
  { params, query, body, context, request }: Call<typeof operations.importEnvironment>,
  mode: ImportMode,
  plan: string | null,
  dryRun: boolean,
): Promise<ImportOutcome | Problem> {
  const { store, work, limits, checks, bodies } = context;
  // Not destroyed after a problem: destroying the stream would take the socket with it, and the response.
  const stream = body.iterator({ destroyOnReturn: false });
  const takeRoom = () => takeLineRoom(bodies, request.raw, transferLineBytesMax(limits));
  const { findings } = checks;
  const deps = { store, work, limits, findings, actor: actorOf(request), takeRoom };
  const confirm = confirmRequestOf(query, query);
  const wanted = { environment: params.env, mode, plan, stream, ...confirm };
  if (dryRun) return previewImport(deps, wanted);
  return importEnvironment({ ...deps, commit: (apply) => commit(context, request, apply) }, wanted);
}

/** The rest of a rejected body: a sender that is cut off midway would not see the response. Its time is limited. */
async function readAway(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > importBytesMax) return;
    }
  } catch {
    // The sender is gone; it needs no response.
  }
}

/**
 * Room in the budget of bodies for a large line of an import, which is read from its stream meanwhile.
 *
 * For a line of at most `bytesMax`, or what the file has if that is less. A sender that is too slow with it, while others
 * wait, loses its connection: the import is read by then, and ends as if the sender had gone.
 * @throws BodyRejected
 */
async function takeLineRoom(
  { budgets, deadlines }: BodyReader,
  stream: IncomingMessage,
  bytesMax: number,
): Promise<LineRoom> {
  const bytes = Math.min(bytesMax, declaredBytes(stream) ?? bytesMax);
  const share = await takeShare(budgets, stream, bytes);
  const { graceMsMax, bytesPerSecondMin } = deadlines;
  const timer = setTimeout(
    () => share.setOverdue(() => stream.destroy()),
    graceMsMax + (bytes / bytesPerSecondMin) * 1_000,
  );
  const release = (): void => {
    clearTimeout(timer);
    share.release();
  };
  return { release };
}
