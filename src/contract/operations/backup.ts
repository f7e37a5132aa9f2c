/** Backup: a copy of the store, made while everything goes on. */
import { z } from 'zod';
import { operation } from '../operation.js';

export const makeBackup = operation('POST /backup', {
  tag: 'operations',
  description:
    'Gives the whole store as it is now, as one SQLite file. Edits go on meanwhile. It holds hashes of keys and tokens, and the secrets of webhooks: keep it as safe as the data folder.',
  role: 'owner',
  responses: {
    200: z.string().meta({ format: 'binary', description: 'The file, for `loadout restore`.' }),
  },
  responseType: 'application/vnd.sqlite3',
  problems: ['backup_running'],
});
