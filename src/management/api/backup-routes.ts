/** The route that hands out a copy of the store, made while everything goes on. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import { problems } from '../http/problem-responses.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

/** Copies the store into a file of its own, which the caller removes, and gives its path. Rejects when the disk is full. */
export type MakeBackup = () => Promise<string>;

export function registerBackup(app: AdminApp, context: AdminContext, make: MakeBackup): void {
  /** A copy takes the room of the whole store: one at a time. */
  let running = false;

  app.post(
    '/admin/v1/backup',
    {
      config: { role: 'owner' },
      schema: {
        tags: ['operations'],
        description:
          'Gives the whole store as it is now, as one SQLite file. Edits go on meanwhile. It holds hashes of keys and tokens, and the secrets of webhooks: keep it as safe as the data folder.',
        response: {
          200: {
            description: 'The file, for `loadout restore`.',
            content: {
              'application/vnd.sqlite3': { schema: z.string().meta({ format: 'binary' }) },
            },
          },
          ...problems('backup_running'),
        },
      },
    },
    async (request, reply) => {
      if (running) {
        const detail = 'Another backup is being made; ask again when it is done.';
        return sendProblem(reply, new Problem('backup_running', detail));
      }
      running = true;
      const answered = once(reply.raw, 'close');
      try {
        const path = await make();
        try {
          const file = await open(path, 'r');
          const { size } = await file.stat();
          await context.store.write(actorOf(request), (write) =>
            write.audit('store.backup', '', '', { bytes: size }),
          );
          reply
            .type('application/vnd.sqlite3')
            .header('content-length', size)
            .header('content-disposition', 'attachment; filename="loadout-backup.db"');
          // The stream closes the file; without a name, its room is free again from then on, whatever happens.
          return reply.send(createReadStream('', { fd: file }) as never);
        } finally {
          await rm(path, { force: true });
        }
      } finally {
        // Not before the file is sent, or its receiver gone: until then the copy takes its room.
        void answered.then(() => {
          running = false;
        });
      }
    },
  );
}
