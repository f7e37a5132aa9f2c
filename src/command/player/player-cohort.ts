/** `loadout player cohort`: which players of a list were given a value between two times. */
import { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import {
  endOfRequest,
  type ListedPlayer,
  readPlayerList,
} from '../../contract/players/player-list.js';
import type { CohortPlayer } from '../../contract/schemas/players/cohort-player.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { CommandFailure } from '../terminal/failure.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { parsePastAsGiven, pastHelp } from '../terminal/parse-time.js';
import { Progress } from '../terminal/progress.js';
import { type Column, formatTable } from '../terminal/table.js';
import { readText, standardInput } from '../terminal/text-file.js';

interface CohortOptions extends EnvironmentOptions {
  readonly path: string;
  readonly equals?: string;
  readonly from: string;
  readonly to?: string;
  readonly players: string;
  readonly all: boolean;
}

interface Cohort {
  readonly from: string;
  readonly to: string;
  readonly counts: Record<'given' | 'notGiven' | 'notKnown' | 'rejected', number>;
  readonly players: readonly CohortPlayer[];
}

export function cohortCommand(): Command {
  return withEnvironment(new Command('cohort'))
    .description(
      'find which players of a list were given a value between two times, and when first',
    )
    .argument('<content>', 'content id')
    .requiredOption('--path <pointer>', 'JSON Pointer of the value; "" is the whole content item')
    .option('--equals <json>', 'the value (default: any value at this place)')
    .requiredOption('--from <time>', `begin, such as ${pastHelp}`, parsePastAsGiven)
    .option('--to <time>', 'end, likewise (default: now)', parsePastAsGiven)
    .requiredOption(
      '--players <file>',
      'JSON Lines of {u, p, v}, CSV with a header, or user ids; "-" is standard input',
    )
    .option('--all', 'also list players who were not given it', false)
    .action(cohort);
}

async function cohort(content: string, options: CohortOptions): Promise<void> {
  const { players, issues } = readPlayerList(await readText(options.players));
  const source = options.players === standardInput ? 'standard input' : options.players;
  const [issue] = issues;
  if (issue !== undefined) {
    throw new CommandFailure(`${source}, line ${issue.line}: ${issue.message}.`);
  }
  if (players.length === 0) throw new CommandFailure(`There are no players in ${source}.`);
  const value = await findAll(content, players, options);
  const text = JSON.stringify(value);
  printResponse(options, { value, text }, () => formatCohort(value, options.all));
}

/** All pages, up to one moment: the server's clock says when "now" is. */
async function findAll(
  id: string,
  listed: readonly ListedPlayer[],
  options: CohortOptions,
): Promise<Cohort> {
  const { path, from, equals } = options;
  const client = openClient(options);
  const progress = new Progress('players');
  const players: CohortPlayer[] = [];
  const counts = { given: 0, notGiven: 0, notKnown: 0, rejected: 0 };
  let range = { from, to: options.to };
  try {
    while (players.length < listed.length) {
      const end = endOfRequest(listed, players.length);
      const sources = listed.slice(players.length, end).map(({ source }) => source);
      const texts = {
        equals: equals === undefined ? undefined : strictJson(equals, '--equals'),
        players: `[${sources.join(',')}]`,
      };
      const { value } = await client.request('POST /environments/:env/players/cohort', {
        params: { env: options.env },
        body: new JsonText(jsonBody({ id, path, ...range }, texts)),
      });
      players.push(...value.players);
      for (const name of ['given', 'notGiven', 'notKnown', 'rejected'] as const) {
        counts[name] += value.counts[name];
      }
      range = { from: value.from, to: value.to };
      progress.show(`${players.length} of ${listed.length}`);
    }
  } finally {
    progress.end();
  }
  return { from: range.from, to: range.to ?? '', counts, players };
}

const columns: readonly Column<CohortPlayer>[] = [
  { title: 'PLAYER', text: ({ u }) => u },
  { title: 'OUTCOME', text: ({ outcome }) => outcome },
  { title: 'FIRST', text: ({ firstAt }) => firstAt ?? '' },
  { title: 'UNTIL', text: ({ untilAt }) => untilAt ?? '' },
  { title: 'SECONDS', text: ({ givenMs }) => (givenMs === 0 ? '' : String(givenMs / 1000)) },
  { title: 'REVISION', text: ({ revision }) => String(revision ?? '') },
  { title: 'RELEASE', text: ({ release }) => String(release ?? '') },
  { title: 'DETAIL', text: ({ detail }) => detail ?? '' },
];

/** @param areAll those who were not given the value are listed, too */
export function formatCohort({ from, to, counts, players }: Cohort, areAll: boolean): string {
  const shown = areAll ? players : players.filter(({ outcome }) => outcome !== 'not_given');
  const { given, notGiven, notKnown, rejected } = counts;
  const sums = [
    `${given} of ${players.length} players were given it between ${from} and ${to}`,
    `${notGiven} were not`,
    ...(notKnown === 0 ? [] : [`for ${notKnown} it is not known`]),
    ...(rejected === 0 ? [] : [`${rejected} were rejected`]),
  ];
  return `${formatTable(columns, shown, 'No player was given it.')}${sums.join('; ')}.\n`;
}
