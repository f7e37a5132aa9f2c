/** `loadout rejections`: why a server rejected requests in the last hour. */

import { Command } from 'commander';
import type { RejectionReason, Rejections } from '../../contract/operations/health/rejections.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { type Column, formatTable } from '../terminal/table.js';

interface RejectionsOptions extends ConnectionOptions {
  readonly env?: string;
}

const columns: readonly Column<RejectionReason>[] = [
  { title: 'REQUESTS', text: ({ count }) => String(count) },
  { title: 'STATUS', text: ({ status }) => String(status) },
  { title: 'CODE', text: ({ code }) => code },
  { title: 'ENVIRONMENT', text: ({ environment }) => environment ?? '' },
  { title: 'KEY', text: keyText },
  { title: 'CONTENT', text: ({ content }) => content ?? '' },
  { title: 'LAST', text: ({ lastAt }) => lastAt },
];

export function rejectionsCommand(): Command {
  return withConnection(new Command('rejections'))
    .description('why a server rejected requests in the last hour, by code, key and content item')
    .option('--env <environment>', 'only those of this environment')
    .action(listRejections);
}

async function listRejections(options: RejectionsOptions): Promise<void> {
  const { env } = options;
  const client = openClient(options);
  const response =
    env === undefined
      ? await client.request('GET /rejections', {})
      : await client.request('GET /environments/:env/rejections', { params: { env } });
  printResponse(options, response, ({ value }) => rejectionsText(value));
}

function rejectionsText(rejections: Rejections): string {
  const { node, nodes, from, state, requests, rejected, other, reasons } = rejections;
  const alone = nodes === 1 ? '' : ` (one of ${nodes}; each counts its own requests)`;
  const summary = `${rejected} of ${requests} requests since ${from} on ${node}${alone}: ${state}\n`;
  if (rejected === 0) return summary;
  const rest = other === 0 ? '' : `${other} more, for other reasons\n`;
  return `${summary}\n${formatTable(columns, reasons, '')}${rest}`;
}

function keyText({ key, keyDigest }: RejectionReason): string {
  if (key !== null) {
    const name = key.label === '' ? `${key.prefix}…` : key.label;
    return key.state === 'active' ? name : `${name} (${key.state})`;
  }
  return keyDigest === null ? '' : `unknown, SHA-256 ${keyDigest}…`;
}
