/** `loadout content envelope`: every value that any player could be given, by path. */

import type { Command } from 'commander';
import type { Envelope, EnvelopeBound, EnvelopePath } from '../../contract/operations/envelope.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { parseRevision } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

interface EnvelopeOptions extends EnvironmentOptions {
  readonly revision?: number;
}

export function addContentEnvelope(contents: Command): void {
  withEnvironment(contents.command('envelope <content>'))
    .description('show every value that any player could be given, by path')
    .option('--revision <number>', 'the revision; by default the newest', parseRevision)
    .action(showEnvelope);
}

async function showEnvelope(id: string, options: EnvelopeOptions): Promise<void> {
  const { env, revision } = options;
  const response = await openClient(options).request(
    'GET /environments/:env/contents/:id/envelope',
    { params: { env, id }, query: { revision } },
  );
  printResponse(options, response, ({ value }) => formatEnvelope(value));
}

const columns: readonly Column<EnvelopePath>[] = [
  { title: 'PATH', text: ({ path }) => (path === '' ? '(root)' : path) },
  { title: 'TYPE', text: ({ types }) => types.join(', ') },
  { title: 'ALWAYS', text: ({ always }) => (always ? 'yes' : 'no') },
  { title: 'VALUES', text: formatValues },
];

function formatEnvelope({ lines, findings }: Envelope): string {
  const parts = lines.map(({ appVersion, paths, truncated, unbounded }) => {
    const remarks = [
      ...(truncated ? ['There are more paths, which are not shown.\n'] : []),
      ...(unbounded ? ['The mapping has too many operations: any value is possible.\n'] : []),
    ];
    return `Version line ${appVersion}\n${formatTable(columns, paths, '')}${remarks.join('')}`;
  });
  if (findings.length > 0) {
    const sentences = findings.map(({ message }) => `${message}\n`).join('');
    parts.push(`Against what is live:\n${sentences}`);
  }
  return parts.join('\n');
}

/** The range of numbers, with what writes its ends, or the values if they are few. */
function formatValues({ min, max, values }: EnvelopePath): string {
  if (min === null || max === null) return values?.join(', ') ?? 'many';
  if (min.value === max.value) return formatBound(min);
  return `${formatBound(min)} ... ${formatBound(max)}`;
}

function formatBound({ value, segment, variant }: EnvelopeBound): string {
  const number = value === null ? 'beyond doubles' : String(value);
  if (segment === null) return number;
  return `${number} (${variant === null ? segment : `${segment}, ${variant}`})`;
}
