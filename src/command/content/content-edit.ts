/** `loadout content publish|rollback|delete|restore|line delete`: changes what is delivered without a new text. */

import type { Command } from 'commander';
import type { AdminClient } from '../client/admin-client.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import {
  type FindingsOptions,
  sendConfirmed,
  withFindings,
  withFindingsAndYes,
} from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { printNote } from '../terminal/output.js';
import { parseAppVersion, parseRevision } from '../terminal/parse-option.js';
import { printSaved, type SavedOrPlanned } from './saved-content.js';

interface PublishOptions extends EnvironmentOptions, FindingsOptions {}

interface DeleteLineOptions extends PublishOptions {
  readonly draft: boolean;
}

export function addContentEdits(contents: Command): void {
  withFindingsAndYes(withFleetWait(withEnvironment(contents.command('publish <content>'))))
    .description('make a saved revision the live one')
    .argument('[revision]', 'its number; by default the newest', parseRevision)
    .action(publishContent);
  withFindingsAndYes(withFleetWait(withEnvironment(contents.command('rollback <content>'))))
    .description('publish an old revision again, as a new one; also undoes a deletion')
    .argument('<revision>', 'its number', parseRevision)
    .option('--note <text>', 'reason for the change, kept in the history')
    .action(rollbackContent);
  withYes(withFleetWait(withEnvironment(contents.command('delete <content>'))))
    .description('remove a content from delivery; its history stays')
    .action(deleteContent);
  withFleetWait(withEnvironment(contents.command('restore <content>')))
    .description('restore a deleted content as it was')
    .action(restoreContent);
  const lines = contents.command('line').description('version lines of a content');
  withFindings(withYes(withFleetWait(withEnvironment(lines.command('delete <content>')))))
    .description('delete the version line of an app version')
    .argument('<version>', 'the lowest app version of the version line', parseAppVersion)
    .option('--draft', 'save without publishing', false)
    .action(deleteLine);
}

async function publishContent(
  id: string,
  revision: number | undefined,
  options: PublishOptions,
): Promise<void> {
  const params = { env: options.env, id };
  const route = 'POST /environments/:env/contents/:id/publish';
  const client = openClient(options);
  const response = await sendConfirmed<SavedOrPlanned>(options, ({ confirm, query }) =>
    client.request(route, { params, query, body: { revision, confirm } }),
  );
  printSaved(options, response);
}

async function rollbackContent(
  id: string,
  revision: number,
  options: PublishOptions & { readonly note?: string },
): Promise<void> {
  const { note } = options;
  const params = { env: options.env, id };
  const route = 'POST /environments/:env/contents/:id/rollback';
  const client = openClient(options);
  const response = await sendConfirmed<SavedOrPlanned>(options, ({ confirm, query }) =>
    client.request(route, { params, query, body: { revision, note, confirm } }),
  );
  printSaved(options, response);
}

async function deleteContent(id: string, options: EnvironmentOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const describe = async (): Promise<string | null> =>
    (await isLive(client, env, id))
      ? `This takes ${id} away from the players of ${env} at once.`
      : null;
  await confirmDangerous({ client, env, name: id, yes, describe });
  const response = await client.request('DELETE /environments/:env/contents/:id', {
    params: { env, id },
  });
  printResponse(options, response, () => `Deleted ${id}.\n`);
  printNote('`loadout content restore` brings it back.');
}

async function restoreContent(id: string, options: EnvironmentOptions): Promise<void> {
  const params = { env: options.env, id };
  const route = 'POST /environments/:env/contents/:id/restore';
  printSaved(options, await openClient(options).request(route, { params }));
}

async function deleteLine(id: string, version: string, options: DeleteLineOptions): Promise<void> {
  const { env, draft, yes } = options;
  const client = openClient(options);
  const describe = async (): Promise<string | null> =>
    !draft && (await isLive(client, env, id))
      ? `This takes the line ${version} of ${id} away from the players of ${env} at once.`
      : null;
  await confirmDangerous({ client, env, name: id, yes, describe });
  const response = await sendConfirmed<SavedOrPlanned>(options, ({ confirm, query }) =>
    client.request('DELETE /environments/:env/contents/:id/lines/:appVersion', {
      params: { env, id, appVersion: version },
      query: { ...query, confirm, publish: draft ? 'false' : undefined },
    }),
  );
  printSaved(options, response);
}

async function isLive(client: AdminClient, env: string, id: string): Promise<boolean> {
  const { value } = await client.request('GET /environments/:env/contents/:id', {
    params: { env, id },
  });
  return value.live !== null;
}
