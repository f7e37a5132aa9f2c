/** `loadout segment history`: lists the conditions that a segment has had. */

import type { Command } from 'commander';
import type { SegmentRevisionSummary } from '../../contract/operations/segment-history.js';
import { addHistoryCommand } from '../content/history-command.js';

export function addSegmentHistory(segments: Command): void {
  addHistoryCommand<SegmentRevisionSummary>(segments, {
    noun: 'segment',
    description: 'list the conditions that were saved, newest first; of a deleted segment, too',
    list: (client, env, name, limit) =>
      client.request('GET /environments/:env/segments/:name/revisions', {
        params: { env, name },
        query: { limit },
      }),
    columns: [{ title: 'CURRENT', text: ({ current }) => (current ? 'yes' : '') }],
  });
}
