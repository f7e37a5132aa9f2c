/** `loadout metric`: which events of the game count, and how. Experiments choose among them. */

import { Command, Option } from 'commander';
import { metricEventsPerDayMax, metricWindowDaysMax } from '../../contract/limits.js';
import type { Metric, MetricKind } from '../../contract/schemas/metric.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
  withFleetWait,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { naming, type OptionOfMember } from '../client/option-errors.js';
import { parseNumber, wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';

interface SetOptions extends ConnectionOptions {
  readonly kind: MetricKind;
  readonly event: string;
  readonly per?: string;
  readonly within?: number;
  readonly day?: '1' | '7' | '30';
  readonly lessIsBetter: boolean;
  readonly trusted: boolean;
  readonly perUserDay?: number;
  readonly winsorise?: number;
  readonly description?: string;
}

/** The contract's list would load zod with every command. */
const kinds: readonly MetricKind[] = ['count', 'sum', 'conversion', 'ratio', 'retention'];

const retentionDays = { '1': 1, '7': 7, '30': 30 } as const;

const optionNames: readonly OptionOfMember[] = [
  ['kind', '--kind'],
  ['event', '--event'],
  ['denominator', '--per'],
  ['windowDays', '--within'],
  ['day', '--day'],
  ['description', '--description'],
  ['cap.perUserDay', '--per-user-day'],
  ['cap.winsorise', '--winsorise'],
];

const columns: readonly Column<Metric>[] = [
  { title: 'METRIC', text: ({ name }) => name },
  { title: 'KIND', text: kindText },
  { title: 'EVENT', text: eventText },
  { title: 'BETTER', text: ({ direction }) => (direction === 'up' ? 'more' : 'less') },
  { title: 'TRUSTED', text: ({ trusted }) => (trusted ? 'yes' : 'no') },
  { title: 'DESCRIPTION', text: ({ description }) => description },
];

function kindText({ kind, windowDays, day }: Metric): string {
  if (kind === 'conversion' && windowDays !== null) return `${kind} in ${windowDays} d`;
  return day === null ? kind : `${kind} day ${day}`;
}

function eventText({ event, denominator }: Metric): string {
  return denominator === null ? event : `${event} per ${denominator}`;
}

export function metricCommand(): Command {
  const command = new Command('metric').description(
    'metrics of experiments: which events of the game count, and how',
  );
  withFilter(withConnection(command.command('list <environment>')), 'metrics')
    .description('list the metrics of an environment')
    .action(listMetrics);
  withFleetWait(withConnection(command.command('set <environment> <metric>')))
    .description('define a metric, or replace its definition')
    .addOption(
      new Option('--kind <kind>', 'what is made of the events')
        .choices(kinds)
        .makeOptionMandatory(),
    )
    .requiredOption('--event <name>', 'name of the events that count')
    .option('--per <name>', 'of a ratio: name of the events below the line')
    .option(
      '--within <days>',
      'of a conversion: days after the first exposure',
      wholeNumber(1, metricWindowDaysMax),
    )
    .addOption(
      new Option('--day <day>', 'of retention: day after the first exposure').choices(
        Object.keys(retentionDays),
      ),
    )
    .option('--less-is-better', 'a decrease is the better change', false)
    .option('--trusted', 'count only events that came with an events key', false)
    .option(
      '--per-user-day <count>',
      'events of one user and day that count',
      wholeNumber(1, metricEventsPerDayMax),
    )
    .option('--winsorise <quantile>', 'totals above it count as it, such as 0.999', parseNumber)
    .option('--description <text>', 'what it is, for people')
    .action(setMetric);
  withFleetWait(withConnection(command.command('delete <environment> <metric>')))
    .description('delete a metric that no draft or running experiment names')
    .action(deleteMetric);
  return command;
}

async function listMetrics(env: string, options: ConnectionOptions & FilterOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments/:env/metrics', {
    params: { env },
  });
  printList(options, response, 'metrics', ({ name }) => name, columns);
}

async function setMetric(env: string, name: string, options: SetOptions): Promise<void> {
  const { kind, event, per, within, day, lessIsBetter, trusted, description } = options;
  const { perUserDay, winsorise } = options;
  const body = {
    ...{ kind, event, trusted, description },
    denominator: per,
    windowDays: within,
    day: day === undefined ? undefined : retentionDays[day],
    direction: lessIsBetter ? ('down' as const) : ('up' as const),
    cap: { perUserDay, winsorise },
  };
  const route = 'PUT /environments/:env/metrics/:name';
  const args = { params: { env, name }, body };
  const response = await openClient(options).request(route, args, naming(optionNames));
  printResponse(options, response, ({ value }) => formatTable(columns, [value], ''));
}

async function deleteMetric(env: string, name: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('DELETE /environments/:env/metrics/:name', {
    params: { env, name },
  });
  printResponse(options, response, () => `Deleted ${name}.\n`);
}
