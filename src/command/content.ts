/** `loadout content`: the contents of an environment and their history. */

import { Command } from 'commander';
import { addContentEdits } from './content-edit.js';
import { addContentPut } from './content-put.js';
import { addContentViews } from './content-show.js';

export function contentCommand(): Command {
  const command = new Command('content').description('contents of an environment');
  addContentPut(command);
  addContentViews(command);
  addContentEdits(command);
  return command;
}
