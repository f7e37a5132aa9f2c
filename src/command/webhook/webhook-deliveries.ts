/** `loadout webhook test|deliveries|message|retry`: what webhooks were sent. */

import type { Command } from 'commander';
import { Option } from 'commander';
import type { WebhookDelivery } from '../../contract/operations/webhook-deliveries.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { deliveriesShownDefault, deliveriesShownMax } from '../terminal/limits.js';
import { printNote } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

interface ListOptions extends ConnectionOptions {
  readonly status?: WebhookDelivery['status'];
  readonly limit: number;
  readonly before?: string;
}

interface RetryOptions extends ConnectionOptions {
  readonly failed: boolean;
}

const columns: readonly Column<WebhookDelivery>[] = [
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

export function addDeliveryCommands(command: Command): void {
  withConnection(command.command('test <webhook>'))
    .description('send a test message now; 1 when it is not delivered')
    .action(testWebhook);
  withConnection(command.command('deliveries <webhook>'))
    .description('what was sent and what waits, newest first')
    .addOption(
      new Option('--status <status>', 'only these').choices(['pending', 'delivered', 'failed']),
    )
    .option(
      '--limit <count>',
      'how many',
      wholeNumber(1, deliveriesShownMax),
      deliveriesShownDefault,
    )
    .option('--before <delivery>', 'only older ones than this')
    .action(listDeliveries);
  withConnection(command.command('message <webhook> <delivery>'))
    .description('print the body of a message')
    .action(showMessage);
  withConnection(command.command('retry <webhook> [delivery]'))
    .description('send a message again, whatever became of it; or all that failed')
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
    formatTable(columns, value.deliveries, 'No deliveries.'),
  );
  const { next } = response.value;
  if (next !== null && !options.json) printNote(`There are older ones: --before ${next}`);
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
    throw misuse('Name one delivery, or say --failed for all that failed.');
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
