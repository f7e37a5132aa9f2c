/** `loadout content history`: lists what was saved of a content. */

import type { Command } from 'commander';
import type { RevisionSummary } from '../../contract/operations/content-history.js';
import { addHistoryCommand } from './history-command.js';

export function addContentHistory(contents: Command): void {
  addHistoryCommand<RevisionSummary>(contents, {
    noun: 'content',
    description: 'list what was saved, newest first',
    list: (client, env, id, limit) =>
      client.request('GET /environments/:env/contents/:id/revisions', {
        params: { env, id },
        query: { limit },
      }),
    columns: [
      { title: 'LIVE', text: ({ live }) => (live ? 'yes' : '') },
      { title: 'HASH', text: ({ hash }) => hash },
    ],
  });
}
