/** `loadout player show`: what a player was given at a moment, or what differs between two. */
import { Command, Option } from 'commander';
import { JsonText } from '../../contract/client.js';
import { pairItems } from '../../contract/players/pair-items.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { type UserContextOptions, withUserContext } from '../evaluate/user-context.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { parsePastAsGiven, pastHelp } from '../terminal/parse-time.js';
import { formatItem, formatItems } from './format-player.js';
import { cohortCommand } from './player-cohort.js';

interface ShowOptions extends EnvironmentOptions, UserContextOptions {
  readonly at?: string;
  readonly compare?: string;
}

/** Content items that are asked for at once. */
const pageItems = 500;

export function playerCommand(): Command {
  const command = new Command('player').description('look up what players were given');
  command.addCommand(showCommand());
  command.addCommand(cohortCommand());
  return command;
}

function showCommand(): Command {
  const command = withEnvironment(new Command('show'))
    .description(
      'show every content item as a player was given it, or one with its response and the reasons',
    )
    .argument('[content]', 'content id (default: all content items, without responses)');
  return withUserContext(command)
    .option('--at <time>', `the moment, such as ${pastHelp} (default: now)`, parsePastAsGiven)
    .addOption(
      new Option('--compare <time>', 'show what differs at this other moment').argParser(
        parsePastAsGiven,
      ),
    )
    .action(show);
}

async function show(content: string | undefined, options: ShowOptions): Promise<void> {
  const { at, compare } = options;
  if (content !== undefined && compare === undefined) return showOne(content, at, options);
  const items = await lookUpAll(at, content, options);
  const others = compare === undefined ? null : await lookUpAll(compare, content, options);
  const value = others === null ? items : pairItems(items, others);
  const text = JSON.stringify({ at, ...(compare === undefined ? {} : { compare }), items: value });
  printResponse(options, { value: JSON.parse(text) as unknown, text }, () =>
    formatItems(items, others),
  );
}

async function showOne(
  content: string,
  at: string | undefined,
  options: ShowOptions,
): Promise<void> {
  const response = await request(options, { at, ids: [content] });
  printResponse(options, response, formatItem);
}

/** All pages, of one moment: the server's clock says when "now" is. */
async function lookUpAll(
  at: string | undefined,
  content: string | undefined,
  options: ShowOptions,
): Promise<PlayerItem[]> {
  if (content !== undefined) {
    return [...(await request(options, { at, ids: [content] })).value.items];
  }
  const items: PlayerItem[] = [];
  let moment = at;
  let after: string | null = null;
  do {
    const page: object = after === null ? {} : { after };
    const { value } = await request(options, { at: moment, limit: pageItems, ...page });
    items.push(...value.items);
    moment = value.at;
    after = value.next;
  } while (after !== null);
  return items;
}

function request(options: ShowOptions, fields: Readonly<Record<string, unknown>>) {
  const { user: u, appVersion: v } = options;
  const p = strictJson(options.attributes, '--attributes');
  return openClient(options).request('POST /environments/:env/players/lookup', {
    params: { env: options.env },
    body: new JsonText(jsonBody({ u, v, ...fields }, { p })),
  });
}
