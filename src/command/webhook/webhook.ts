/** `loadout webhook`: URLs that receive a message after each event, and the messages. */

import { Command, Option } from 'commander';
import { type EventType, type WebhookFormat, webhookFormats } from '../../contract/events.js';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import type { Webhook, WebhookWithSecret } from '../../contract/operations/webhooks.js';
import type { ClientResponse } from '../client/admin-client.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { deliveriesShownDefault, deliveriesShownMax } from '../terminal/limits.js';
import { printNote } from '../terminal/output.js';
import { collect, wholeNumber } from '../terminal/parse-option.js';
import { readSecret } from '../terminal/secrets.js';
import { type Column, formatTable } from '../terminal/table.js';

interface CreateOptions extends ConnectionOptions {
  readonly format: WebhookFormat;
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

interface ListOptions extends ConnectionOptions {
  readonly status?: WebhookDelivery['status'];
  readonly limit: number;
  readonly before?: string;
}

interface RetryOptions extends ConnectionOptions {
  readonly failed: boolean;
}

const columns: readonly Column<Webhook>[] = [
  { title: 'WEBHOOK', text: (webhook) => webhook.id },
  { title: 'URL', text: (webhook) => webhook.url },
  { title: 'FORMAT', text: (webhook) => webhook.format },
  { title: 'ENVIRONMENTS', text: (webhook) => webhook.environments?.join(', ') ?? 'all' },
  { title: 'EVENTS', text: (webhook) => webhook.events?.join(', ') ?? 'all' },
  { title: 'STATE', text: stateText },
  { title: 'DESCRIPTION', text: (webhook) => webhook.description },
];

function stateText({ enabled, disabledReason, failures }: Webhook): string {
  if (!enabled) return `off: ${disabledReason}`;
  return failures === 0 ? 'on' : `on, failing (${failures})`;
}

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { title: 'DELIVERY', text: (delivery) => delivery.id },
  { title: 'AT', text: (delivery) => delivery.createdAt },
  { title: 'EVENT', text: (delivery) => delivery.event },
  { title: 'STATUS', text: (delivery) => delivery.status },
  { title: 'ATTEMPTS', text: (delivery) => String(delivery.attempts) },
  { title: 'LAST ANSWER', text: resultText },
  { title: 'NEXT ATTEMPT', text: (delivery) => delivery.nextAttemptAt ?? '' },
];

/** `200 in 34 ms`, or why it failed. */
function resultText({ lastStatus, lastError, lastDurationMs }: WebhookDelivery): string {
  if (lastError !== '') return lastError;
  return lastStatus === null ? '' : `${lastStatus} in ${lastDurationMs} ms`;
}

const secretHelp =
  '\nLOADOUT_WEBHOOK_SECRET sets a secret of your own ("whsec_" and 24 to 64 bytes in base64); without it one is made.';

const addressHelp =
  '\nThe URL of a chat is a secret: with "-" it is read from LOADOUT_WEBHOOK_URL, or from the file that LOADOUT_WEBHOOK_URL_FILE names.';

export function webhookCommand(): Command {
  const command = new Command('webhook').description(
    'webhooks: URLs that receive a message after each event',
  );
  withFilter(withConnection(command.command('list')), 'webhooks', 'URL')
    .description('list the webhooks')
    .action(listWebhooks);
  withConnection(command.command('create <address>'))
    .description('create a webhook and print its signing secret; it is shown only once')
    .addOption(
      new Option('--format <format>', 'how messages look; those of a chat are not signed')
        .choices(webhookFormats)
        .default('loadout'),
    )
    .option('--description <text>', 'what it is for')
    .option('--env <environment>', 'only events of this environment; repeatable', collect)
    .option(
      '--event <type>',
      'only events of this type, such as content.published; repeatable',
      collect,
    )
    .option('--disabled', 'create it switched off', false)
    .addHelpText('after', secretHelp)
    .addHelpText('after', addressHelp)
    .action(createWebhook);
  withConnection(command.command('edit <webhook>'))
    .description('change a webhook, or switch it on or off')
    .option('--to <address>', 'where messages are sent')
    .option('--description <text>', 'what it is for')
    .option('--env <environment>', 'only events of this environment; repeatable', collect)
    .option('--all-envs', 'events of all environments', false)
    .option('--event <type>', 'only events of this type; repeatable', collect)
    .option('--all-events', 'events of all types, including future ones', false)
    .option('--enable', 'switch it on: messages that waited are sent', false)
    .option('--disable', 'switch it off: events in the meantime are not sent later', false)
    .addHelpText('after', addressHelp)
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

async function listWebhooks(options: ConnectionOptions & FilterOptions): Promise<void> {
  const response = await openClient(options).request('GET /webhooks', {});
  printList(options, response, 'webhooks', ({ url }) => url, columns);
}

/** @throws CommandFailure when it is to be read, and is not there */
function readAddress(given: string): string {
  if (given !== '-') return given;
  const url = readSecret('LOADOUT_WEBHOOK_URL');
  if (url === null) throw misuse('LOADOUT_WEBHOOK_URL is not set.');
  return url;
}

async function createWebhook(address: string, options: CreateOptions): Promise<void> {
  const response = await openClient(options).request('POST /webhooks', {
    body: {
      url: readAddress(address),
      format: options.format,
      description: options.description,
      environments: options.env,
      events: options.event,
      enabled: !options.disabled,
      secret: readSecret('LOADOUT_WEBHOOK_SECRET') ?? undefined,
    },
  });
  const { id, format, url } = response.value;
  if (format === 'loadout') printSecret(options, response, `Webhook ${id}.`);
  else printResponse(options, response, () => `Webhook ${id} posts to ${url}\n`);
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
    url: options.to === undefined ? undefined : readAddress(options.to),
    description: options.description,
    environments: options.allEnvs ? null : options.env,
    events: options.allEvents ? null : options.event,
    enabled: options.enable ? true : options.disable ? false : undefined,
  };
  if (Object.values(body).every((value) => value === undefined))
    throw misuse('Nothing to change: see loadout webhook edit --help.');
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

function addDeliveryCommands(command: Command): void {
  withConnection(command.command('test <webhook>'))
    .description('send a test message now; exit with 1 if it is not delivered')
    .action(testWebhook);
  withConnection(command.command('deliveries <webhook>'))
    .description('list sent and waiting messages, newest first')
    .addOption(
      new Option('--status <status>', 'only messages with this status').choices([
        'pending',
        'delivered',
        'failed',
      ]),
    )
    .option(
      '--limit <count>',
      'maximum number of messages',
      wholeNumber(1, deliveriesShownMax),
      deliveriesShownDefault,
    )
    .option('--before <delivery>', 'only messages older than this one')
    .action(listDeliveries);
  withConnection(command.command('message <webhook> <delivery>'))
    .description('print the body of a message')
    .action(showMessage);
  withConnection(command.command('retry <webhook> [delivery]'))
    .description('send a message again, delivered or not; or all that failed')
    .option('--failed', 'all messages that failed', false)
    .action(retryDeliveries);
}

async function testWebhook(id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('POST /webhooks/:id/test', { params: { id } });
  const delivered = response.value.status === 'delivered';
  if (delivered || options.json) {
    printResponse(options, response, ({ value }) => `Delivered: ${resultText(value)}.\n`);
  }
  if (!delivered) throw new CommandFailure(`Not delivered. ${response.value.lastError}`);
}

async function listDeliveries(id: string, options: ListOptions): Promise<void> {
  const { limit, status, before } = options;
  const response = await openClient(options).request('GET /webhooks/:id/deliveries', {
    params: { id },
    query: { limit, status, before },
  });
  printResponse(options, response, ({ value }) =>
    formatTable(deliveryColumns, value.deliveries, 'No deliveries.'),
  );
  const { next } = response.value;
  if (next !== null && !options.json) printNote(`There are older messages: --before ${next}`);
}

async function showMessage(
  id: string,
  delivery: string,
  options: ConnectionOptions,
): Promise<void> {
  const response = await openClient(options).request('GET /webhooks/:id/deliveries/:deliveryId', {
    params: { id, deliveryId: delivery },
  });
  printResponse(options, response, ({ value }) => `${value.body}\n`);
}

async function retryDeliveries(
  id: string,
  delivery: string | undefined,
  options: RetryOptions,
): Promise<void> {
  if ((delivery === undefined) !== options.failed) {
    throw misuse('Name one delivery, or use --failed for all that failed.');
  }
  const client = openClient(options);
  if (delivery !== undefined) {
    const response = await client.request('POST /webhooks/:id/deliveries/:deliveryId/retry', {
      params: { id, deliveryId: delivery },
    });
    printResponse(options, response, () => `${delivery} is sent again.\n`);
    return;
  }
  const response = await client.request('POST /webhooks/:id/deliveries/retry', { params: { id } });
  printResponse(options, response, ({ value }) => `Sent again: ${value.deliveries}.\n`);
}
