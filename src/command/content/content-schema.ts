/** `loadout content schema show|put|delete`: the JSON Schema that all a content delivers must match. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { CommandFailure } from '../terminal/failure.js';
import { jsonBody, rawMember, strictJson } from '../terminal/json-body.js';
import { readText, standardInput } from '../terminal/text-file.js';
import { printSaved } from './saved-content.js';

interface PutOptions extends EnvironmentOptions {
  readonly dryRun: boolean;
}

export function addContentSchema(contents: Command): void {
  const schemas = contents
    .command('schema')
    .description('the JSON Schema (draft 2020-12) of what a content delivers');
  withEnvironment(schemas.command('show <content>'))
    .description('print the schema, exactly as it was saved')
    .action(showSchema);
  withFleetWait(withEnvironment(schemas.command('put <content>')))
    .description('set the schema; what the content delivers now must match it')
    .argument('[file]', 'the schema, JSON with comments; - reads standard input', standardInput)
    .option('--dry-run', 'validate everything, save nothing', false)
    .action(putSchema);
  withFleetWait(withEnvironment(schemas.command('delete <content>')))
    .description('remove the schema')
    .action(deleteSchema);
}

async function showSchema(id: string, options: EnvironmentOptions): Promise<void> {
  const { text } = await openClient(options).request('GET /environments/:env/contents/:id', {
    params: { env: options.env, id },
  });
  const schema = rawMember(text, 'schema');
  if (schema === 'null') throw new CommandFailure(`${id} has no schema.`);
  printResponse(options, { value: null, text: schema }, () => `${schema}\n`);
}

async function putSchema(id: string, file: string, options: PutOptions): Promise<void> {
  const schema = strictJson(await readText(file), file);
  await saveSchema(id, schema, options.dryRun, options);
}

async function deleteSchema(id: string, options: EnvironmentOptions): Promise<void> {
  await saveSchema(id, 'null', false, options);
}

/** A schema is no part of a revision: what is a draft stays one, and what is live stays live. */
async function saveSchema(
  id: string,
  schema: string,
  dryRun: boolean,
  options: EnvironmentOptions,
): Promise<void> {
  const body = jsonBody({ publish: false, ...(dryRun ? { dryRun } : {}) }, { schema });
  const response = await openClient(options).request('PUT /environments/:env/contents/:id', {
    params: { env: options.env, id },
    body: new JsonText(body),
  });
  printSaved(options, response);
}
