/** Backup: sends a copy of the store. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { makeBackup } from '../../contract/operations/backup.js';
import { Problem } from '../../contract/problems.js';
import { actorOf } from '../http/commit.js';
import { type Handler, handle } from '../http/handlers.js';
import type { FinishedBackup } from './last-backup.js';

/** Copies the store into a file of its own, which the caller removes, and gives its path. Rejects when the disk is full. */
export type MakeBackup = () => Promise<string>;

/**
 * @param make called for one request at a time
 * @param sent receives each backup whose last byte was handed to the system; one that was cut off is none
 */
export function backupHandlers(
  make: MakeBackup,
  sent: (backup: FinishedBackup) => void = () => undefined,
): readonly Handler[] {
  /** A copy takes the room of the whole store: one at a time. */
  let running = false;

  return [
    handle(makeBackup, async ({ context, request, reply }) => {
      if (running) {
        const detail = 'Another backup is being made; ask again when it is done.';
        return new Problem('backup_running', detail);
      }
      running = true;
      const startedMs = performance.now();
      const closed = once(reply.raw, 'close');
      try {
        const path = await make();
        try {
          const file = await open(path, 'r');
          const { size } = await file.stat();
          await context.store.write(actorOf(request), (write) =>
            write.audit('store.backup', '', '', { bytes: size }),
          );
          void closed.then(() => {
            if (reply.raw.writableFinished) sent({ startedMs, bytes: size });
          });
          reply
            .type('application/vnd.sqlite3')
            .header('content-length', size)
            .header('content-disposition', 'attachment; filename="loadout-backup.db"');
          // The stream closes the file; without a name, its room is free again from then on, whatever happens.
          return reply.send(createReadStream('', { fd: file }));
        } finally {
          await rm(path, { force: true });
        }
      } finally {
        // Not before the file is sent, or its receiver gone: until then the copy takes its room.
        void closed.then(() => {
          running = false;
        });
      }
    }),
  ];
}
