/** `loadout content`: the contents of an environment and their history. */

import { Command } from 'commander';
import { addContentDiff } from './content-diff.js';
import { addContentEdits } from './content-edit.js';
import { addContentHistory } from './content-history.js';
import { addContentPut } from './content-put.js';
import { addContentSchema } from './content-schema.js';
import { addContentViews } from './content-show.js';

export function contentCommand(): Command {
  const command = new Command('content').description('contents of an environment');
  addContentPut(command);
  addContentViews(command);
  addContentHistory(command);
  addContentDiff(command);
  addContentEdits(command);
  addContentSchema(command);
  return command;
}
