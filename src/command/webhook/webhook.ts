/** `loadout webhook`: URLs that receive a message after each event. */

import { Command } from 'commander';
import type { EventType } from '../../contract/events.js';
import type { Webhook, WebhookWithSecret } from '../../contract/operations/webhooks.js';
import type { ClientResponse } from '../client/admin-client.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { printNote } from '../terminal/output.js';
import { collect } from '../terminal/parse-option.js';
import { readSecret } from '../terminal/secrets.js';
import { type Column, formatTable } from '../terminal/table.js';
import { addDeliveryCommands } from './webhook-deliveries.js';

interface CreateOptions extends ConnectionOptions {
  readonly description?: string;
  readonly env?: readonly string[];
  /** As typed: the server knows which there are. */
  readonly event?: readonly EventType[];
  readonly disabled: boolean;
}

interface EditOptions extends ConnectionOptions {
  readonly to?: string;
  readonly description?: string;
  readonly env?: readonly string[];
  readonly allEnvs: boolean;
  /** As typed: the server knows which there are. */
  readonly event?: readonly EventType[];
  readonly allEvents: boolean;
  readonly enable: boolean;
  readonly disable: boolean;
}

const columns: readonly Column<Webhook>[] = [
  { title: 'WEBHOOK', text: (webhook) => webhook.id },
  { title: 'URL', text: (webhook) => webhook.url },
  { title: 'ENVIRONMENTS', text: (webhook) => webhook.environments?.join(', ') ?? 'all' },
  { title: 'EVENTS', text: (webhook) => webhook.events?.join(', ') ?? 'all' },
  { title: 'STATE', text: stateText },
  { title: 'DESCRIPTION', text: (webhook) => webhook.description },
];

function stateText({ enabled, disabledReason, failures }: Webhook): string {
  if (!enabled) return `off: ${disabledReason}`;
  return failures === 0 ? 'on' : `on, failing (${failures})`;
}

const secretHelp =
  '\nLOADOUT_WEBHOOK_SECRET sets a secret of your own ("whsec_" and 24 to 64 bytes in base64); without it one is made.';

export function webhookCommand(): Command {
  const command = new Command('webhook').description('webhooks: who is told of what happens');
  withConnection(command.command('list')).description('list the webhooks').action(listWebhooks);
  withConnection(command.command('create <address>'))
    .description('create a webhook and print its signing secret; it is shown this once')
    .option('--description <text>', 'what it is for')
    .option('--env <environment>', 'only of this environment; may be repeated', collect)
    .option('--event <type>', 'only this type, as content.published; may be repeated', collect)
    .option('--disabled', 'create it switched off', false)
    .addHelpText('after', secretHelp)
    .action(createWebhook);
  withConnection(command.command('edit <webhook>'))
    .description('change a webhook, or switch it on or off')
    .option('--to <address>', 'where messages are sent')
    .option('--description <text>', 'what it is for')
    .option('--env <environment>', 'only of this environment; may be repeated', collect)
    .option('--all-envs', 'of all environments', false)
    .option('--event <type>', 'only this type; may be repeated', collect)
    .option('--all-events', 'all types, later ones included', false)
    .option('--enable', 'switch it on: what waited is sent', false)
    .option('--disable', 'switch it off: what happens meanwhile is not told later', false)
    .action(editWebhook);
  withConnection(command.command('secret <webhook>'))
    .description('replace the signing secret and print the new one; for a day both sign')
    .addHelpText('after', secretHelp)
    .action(changeSecret);
  withConnection(command.command('delete <webhook>'))
    .description('delete a webhook with its deliveries')
    .action(deleteWebhook);
  addDeliveryCommands(command);
  return command;
}

async function listWebhooks(options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /webhooks', {});
  printResponse(options, response, ({ value }) =>
    formatTable(columns, value.webhooks, 'No webhooks.'),
  );
}

async function createWebhook(url: string, options: CreateOptions): Promise<void> {
  const response = await openClient(options).request('POST /webhooks', {
    body: {
      url,
      description: options.description,
      environments: options.env,
      events: options.event,
      enabled: !options.disabled,
      secret: readSecret('LOADOUT_WEBHOOK_SECRET') ?? undefined,
    },
  });
  printSecret(options, response, `Webhook ${response.value.id}.`);
}

async function editWebhook(id: string, options: EditOptions): Promise<void> {
  if (options.enable && options.disable) throw misuse('--enable and --disable exclude each other.');
  if (options.env !== undefined && options.allEnvs) {
    throw misuse('--env and --all-envs exclude each other.');
  }
  if (options.event !== undefined && options.allEvents) {
    throw misuse('--event and --all-events exclude each other.');
  }
  const body = {
    url: options.to,
    description: options.description,
    environments: options.allEnvs ? null : options.env,
    events: options.allEvents ? null : options.event,
    enabled: options.enable ? true : options.disable ? false : undefined,
  };
  if (Object.values(body).every((value) => value === undefined))
    throw misuse('Say what to change: see loadout webhook edit --help.');
  const response = await openClient(options).request('PATCH /webhooks/:id', {
    params: { id },
    body,
  });
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function changeSecret(id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('POST /webhooks/:id/secret', {
    params: { id },
    body: { secret: readSecret('LOADOUT_WEBHOOK_SECRET') ?? undefined },
  });
  printSecret(
    options,
    response,
    `The secret before it signs as well until ${response.value.secretBeforeUntil}.`,
  );
}

async function deleteWebhook(id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('DELETE /webhooks/:id', { params: { id } });
  printResponse(options, response, () => `Deleted ${id}.\n`);
}

/** Only the secret on stdout: SECRET=$(loadout webhook create …). */
function printSecret(
  options: ConnectionOptions,
  response: ClientResponse<WebhookWithSecret>,
  about: string,
): void {
  printResponse(options, response, ({ value }) => `${value.secret}\n`);
  if (!options.json) printNote(`${about} Keep the secret: it is not shown again.`);
}
