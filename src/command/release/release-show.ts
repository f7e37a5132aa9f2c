/** `loadout release list|show|timeline`: shows releases. */

import { type Command, Option } from 'commander';
import { releaseRowsMax } from '../../contract/limits.js';
import type { TimelineEvent } from '../../contract/operations/releases/releases.js';
import type { Release, ReleaseState, ReleaseSummary } from '../../contract/schemas/release.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { noteMore } from '../client/list-filter.js';
import { releasesShownDefault } from '../terminal/limits.js';
import { oneLine } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { type Column, formatTable } from '../terminal/table.js';
import {
  formatBrake,
  formatChange,
  formatCounts,
  formatState,
  formatSteps,
} from './format-release.js';
import { addReleaseCommand, paramsOf, readRelease } from './release-options.js';

interface ListOptions extends ConnectionOptions {
  readonly state?: ReleaseState;
  readonly limit: number;
}

/** The contract's list would load zod with every command. */
const states: readonly ReleaseState[] = [
  ...(['draft', 'review', 'approved', 'scheduled', 'ramping', 'paused'] as const),
  ...(['live', 'reverted', 'stopped', 'failed', 'cancelled'] as const),
];

const columns: readonly Column<ReleaseSummary>[] = [
  { title: 'RELEASE', text: ({ release }) => String(release) },
  { title: 'STATE', text: formatSummaryState },
  { title: 'CHANGES', text: ({ changes }) => String(changes) },
  { title: 'BY', text: ({ createdBy }) => createdBy },
  { title: 'UPDATED', text: ({ updatedAt }) => updatedAt },
  { title: 'TITLE', text: ({ title }) => title },
];

const eventColumns: readonly Column<TimelineEvent>[] = [
  { title: 'TIME', text: ({ at }) => at },
  { title: 'WHO', text: ({ by }) => by },
  { title: 'EVENT', text: ({ event }) => event },
  { title: 'STATE', text: ({ state, percent }) => withPercent(state, percent) },
  { title: 'SEQUENCE', text: ({ sequence }) => (sequence === null ? '' : String(sequence)) },
  { title: 'TEXT', text: ({ text }) => text },
];

export function addReleaseViews(releases: Command): void {
  withConnection(releases.command('list'))
    .description('list the releases of an environment, newest first')
    .argument('<environment>', 'environment of the releases')
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option(
      '--limit <count>',
      'maximum number of releases',
      wholeNumber(1, releaseRowsMax),
      releasesShownDefault,
    )
    .action(listReleases);
  addReleaseCommand(releases, 'show', 'show a release: changes, reach, review and ramp')
    .alias('get')
    .action(showRelease);
  addReleaseCommand(releases, 'timeline', 'list what happened to a release, oldest first').action(
    showTimeline,
  );
}

async function listReleases(env: string, options: ListOptions): Promise<void> {
  const { state, limit } = options;
  const response = await openClient(options).request('GET /environments/:env/releases', {
    params: { env },
    query: { state, limit },
  });
  printResponse(options, response, ({ value }) =>
    formatTable(columns, value.releases, 'No releases.'),
  );
  if (response.value.next !== null && !options.json) noteMore('releases');
}

function formatSummaryState({ state, percent, scheduledAt }: ReleaseSummary): string {
  return state === 'scheduled' ? `${state} ${scheduledAt}` : withPercent(state, percent);
}

function withPercent(state: ReleaseState, percent: number | null): string {
  return percent === null ? state : `${state} ${percent} %`;
}

async function showRelease(env: string, number: number, options: ConnectionOptions): Promise<void> {
  const response = await readRelease(openClient(options), paramsOf(env, number));
  printResponse(options, response, ({ value }) => formatRelease(value));
}

function formatRelease(release: Release): string {
  const { title, description, changes, steps, brake, review, overlaps, emergency } = release;
  const lines = [
    title,
    formatState(release),
    ...(description === '' ? [] : [description]),
    `Made by ${release.createdBy} at ${release.createdAt}`,
    ...(emergency === null ? [] : [`Emergency: ${emergency}`]),
    '',
    ...(changes.length === 0 ? ['No changes.'] : ['Changes:']),
    ...changes.map((change) => `  ${formatChange(change)}`),
    `Reach: ${formatReach(release)}`,
    `Steps: ${formatSteps(steps)}`,
    `Brake: ${formatBrake(brake)}`,
    `Review: ${formatReview(review)}`,
    ...review.approvals.map((approval) => `  ${formatApproval(approval)}`),
  ];
  if (overlaps.length > 0) {
    lines.push(`Cannot start beside what ramps now: release ${overlaps.join(', ')}.`);
  }
  if (release.ramp !== null) lines.push('', ...formatRamp(release.ramp));
  return `${lines.map(oneLine).join('\n')}\n`;
}

function formatReach({ reach: { contents, segments } }: Release): string {
  const parts = [
    contents.length === 0 ? '' : `contents ${contents.join(', ')}`,
    segments.length === 0 ? '' : `segments ${segments.join(', ')}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

function formatReview({ required, digest, submittedBy, submittedAt }: Release['review']): string {
  const submitted =
    submittedBy === null ? 'not submitted' : `submitted by ${submittedBy} at ${submittedAt}`;
  return `${required} required, ${submitted}, digest ${digest}`;
}

function formatApproval(approval: Release['review']['approvals'][number]): string {
  const { user, at, comment, counts, reason } = approval;
  const why = comment === '' ? '' : `: ${comment}`;
  return `${user} approved at ${at}${why}${counts ? '' : ` (does not count: ${reason})`}`;
}

function formatRamp(ramp: NonNullable<Release['ramp']>): string[] {
  const { percent, since, evidence } = ramp;
  const lines = [`${percent} % since ${since}: ${formatCounts(ramp)}`];
  if (evidence !== null) {
    lines.push(`Evidence of a fault: ${evidence.value.toPrecision(3)} of ${evidence.limit}`);
  }
  return lines;
}

async function showTimeline(
  env: string,
  number: number,
  options: ConnectionOptions,
): Promise<void> {
  const response = await openClient(options).request(
    'GET /environments/:env/releases/:release/timeline',
    { params: paramsOf(env, number) },
  );
  printResponse(options, response, ({ value }) =>
    formatTable(eventColumns, value.events, 'Nothing happened.'),
  );
}
