/** `loadout content`: the contents of an environment and their history. */

import { Command } from 'commander';
import type {
  ContentDiff,
  RevisionSummary,
} from '../../contract/operations/history/content-history.js';
import { addDiffCommand, addHistoryCommand } from '../client/revision-commands.js';
import { addContentBulk } from './content-bulk.js';
import { addContentEdits } from './content-edit.js';
import { addContentEditor } from './content-editor.js';
import { addContentEnvelope } from './content-envelope.js';
import { addContentGuards } from './content-guards.js';
import { addContentPut } from './content-put.js';
import { addContentSchema } from './content-schema.js';
import { addContentViews } from './content-show.js';
import { formatDiff } from './format-diff.js';

export function contentCommand(): Command {
  const command = new Command('content').description('contents of an environment');
  addContentPut(command);
  addContentEditor(command);
  addContentViews(command);
  addHistoryCommand<RevisionSummary>(command, {
    noun: 'content',
    description: 'list the revisions of a content, newest first',
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
  addDiffCommand<ContentDiff>(command, {
    noun: 'content',
    description: 'show what changed between two revisions',
    from: ['the older one; by default the live one, or the one before; 0 for none', 0],
    text: 'compare the texts with their comments, as a unified diff',
    compare: (client, env, id, query) =>
      client.request('GET /environments/:env/contents/:id/diff', { params: { env, id }, query }),
    format: formatDiff,
  });
  addContentEnvelope(command);
  addContentEdits(command);
  addContentBulk(command);
  addContentSchema(command);
  addContentGuards(command);
  return command;
}
