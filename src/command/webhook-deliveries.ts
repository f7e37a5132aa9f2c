/** `loadout webhook test|deliveries|message|retry`: what webhooks were sent. */

import type { Command } from 'commander';
import { Option } from 'commander';
import { adminPath } from './admin-client.js';
import type { DeliveriesAnswer, DeliveryAnswer, MessageAnswer, RetriedAnswer } from './answers.js';
import { type ConnectionOptions, openClient, printAnswer, withConnection } from './connection.js';
import { CommandFailure, misuse } from './failure.js';
import { deliveriesShownDefault, deliveriesShownMax } from './limits.js';
import { printNote } from './output.js';
import { wholeNumber } from './parse-option.js';
import { type Column, formatTable } from './table.js';

interface ListOptions extends ConnectionOptions {
  readonly status?: string;
  readonly limit: number;
  readonly before?: string;
}

interface RetryOptions extends ConnectionOptions {
  readonly failed: boolean;
}

const columns: readonly Column<DeliveryAnswer>[] = [
  { title: 'DELIVERY', text: (delivery) => delivery.id },
  { title: 'AT', text: (delivery) => delivery.createdAt },
  { title: 'EVENT', text: (delivery) => delivery.event },
  { title: 'STATUS', text: (delivery) => delivery.status },
  { title: 'ATTEMPTS', text: (delivery) => String(delivery.attempts) },
  { title: 'LAST ANSWER', text: answerText },
  { title: 'NEXT ATTEMPT', text: (delivery) => delivery.nextAttemptAt ?? '' },
];

/** `200 in 34 ms`, or why it failed. */
function answerText({ lastStatus, lastError, lastDurationMs }: DeliveryAnswer): string {
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
  const path = adminPath('webhooks', id, 'test');
  const answer = await openClient(options).call<DeliveryAnswer>('POST', path);
  const delivered = answer.value.status === 'delivered';
  if (delivered || options.json) {
    printAnswer(options, answer, ({ value }) => `Delivered: ${answerText(value)}.\n`);
  }
  if (!delivered) throw new CommandFailure(`Not delivered. ${answer.value.lastError}`);
}

async function listDeliveries(id: string, options: ListOptions): Promise<void> {
  const query = new URLSearchParams({ limit: String(options.limit) });
  if (options.status !== undefined) query.set('status', options.status);
  if (options.before !== undefined) query.set('before', options.before);
  const path = `${adminPath('webhooks', id, 'deliveries')}?${query}`;
  const answer = await openClient(options).call<DeliveriesAnswer>('GET', path);
  printAnswer(options, answer, ({ value }) =>
    formatTable(columns, value.deliveries, 'No deliveries.'),
  );
  const { next } = answer.value;
  if (next !== null && !options.json) printNote(`There are older ones: --before ${next}`);
}

async function showMessage(
  id: string,
  delivery: string,
  options: ConnectionOptions,
): Promise<void> {
  const path = adminPath('webhooks', id, 'deliveries', delivery);
  const answer = await openClient(options).call<MessageAnswer>('GET', path);
  printAnswer(options, answer, ({ value }) => `${value.body}\n`);
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
    const path = adminPath('webhooks', id, 'deliveries', delivery, 'retry');
    const answer = await client.call<DeliveryAnswer>('POST', path);
    printAnswer(options, answer, () => `${delivery} is sent again.\n`);
    return;
  }
  const path = adminPath('webhooks', id, 'deliveries', 'retry');
  const answer = await client.call<RetriedAnswer>('POST', path);
  printAnswer(options, answer, ({ value }) => `Sent again: ${value.deliveries}.\n`);
}
