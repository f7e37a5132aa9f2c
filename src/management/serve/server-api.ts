/** The admin API of a running server: its handlers with everything that they need of it. */
import { fileURLToPath } from 'node:url';
import { programFolder } from '../../program-folder.js';
import { copyStoreInThread } from '../backup/backup-in-thread.js';
import { noteBackup } from '../backup/last-backup.js';
import { BodyBudgets } from '../http/body/body-budgets.js';
import type { AdminApp } from '../http/context.js';
import { tracedFleet, tracedWork, tracedWrites } from '../tracing/traced-parts.js';
import { makeAdminApi } from './admin-api.js';
import { deliveryUrlOf } from './delivery.js';
import { EditCalls } from './edit-calls.js';
import type { Start } from './options.js';
import { type ServerHealthDeps, watchServer } from './server-health.js';

interface ServerApiDeps extends ServerHealthDeps {
  /** Of delivery. */
  readonly port: number;
}

export function makeServerApi(start: Start, deps: ServerApiDeps): Promise<AdminApp> {
  const { options, log } = start;
  const { data, delivery, background, work, port, tracing } = deps;
  const { store, folder } = data;
  const { fleet } = deps.fleet;
  if (tracing !== null) store.surroundWrites(tracedWrites(tracing));
  const bodyBudgets = new BodyBudgets();
  const editCalls = new EditCalls();
  return makeAdminApi({
    ...{ bodyBudgets, editCalls },
    deliveryUrl: deliveryUrlOf(options, port),
    store,
    publish: (sequence: number) => delivery.publisher.publish(sequence),
    fleet: tracing === null ? fleet : tracedFleet(fleet, tracing),
    tracing,
    logger: log,
    ...watchServer(start, deps, { bodyBudgets, editCalls }),
    now: Date.now,
    lastUsed: delivery.lastUsed,
    contextSamples: delivery.contextSamples,
    hasPrometheus: options.prometheusUrl !== null,
    trustedProxies: options.trustedProxies,
    sessionIdleMs: options.sessionIdleMs,
    oidc: options.oidc,
    consoleFolder: fileURLToPath(new URL('console', programFolder)),
    work: tracing === null ? work : tracedWork(work, tracing),
    backup: async () => {
      const path = folder.scratchPath('backup');
      await copyStoreInThread(options.database ?? folder.storePath, path);
      return path;
    },
    backupSent: (backup) => {
      try {
        noteBackup(folder.path, backup, Date.now());
      } catch (error) {
        log.warn(
          { event: 'backup_not_noted', err: error },
          'a backup was sent, but the data folder takes no note of it: its metric stays as it was',
        );
      }
    },
    analysis: deps.events.analysis,
    housekeeping: background.housekeeping,
    webhooks: background.webhooks,
    limits: { textBytesMax: options.textBytesMax, textLevelsMax: options.textLevelsMax },
  });
}
