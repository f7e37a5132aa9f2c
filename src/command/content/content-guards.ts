/** `loadout content guards`: what values of a content must be, shown or set from a file. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { jsonBody, rawMember, strictJson } from '../terminal/json-body.js';
import { readText } from '../terminal/text-file.js';
import { printSaved } from './saved-content.js';

export function addContentGuards(contents: Command): void {
  withFleetWait(withEnvironment(contents.command('guards <content>')))
    .description('print the guards of a content, or set them')
    .argument('[file]', 'the guards, a JSON list with comments; - reads standard input')
    .action((id: string, file: string | undefined, options: EnvironmentOptions) =>
      file === undefined ? showGuards(id, options) : putGuards(id, file, options),
    );
}

async function showGuards(id: string, options: EnvironmentOptions): Promise<void> {
  const { text } = await openClient(options).request('GET /environments/:env/contents/:id', {
    params: { env: options.env, id },
  });
  const guards = rawMember(text, 'guards');
  printResponse(options, { value: null, text: guards }, () => `${guards}\n`);
}

/** Guards are no part of a revision: what is a draft stays one, and what is live stays live. */
async function putGuards(id: string, file: string, options: EnvironmentOptions): Promise<void> {
  const guards = strictJson(await readText(file), file);
  const response = await openClient(options).request('PUT /environments/:env/contents/:id', {
    params: { env: options.env, id },
    body: new JsonText(jsonBody({ publish: false }, { guards })),
  });
  printSaved(options, response);
}
