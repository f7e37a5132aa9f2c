/** `loadout release create|edit`: what a release is called, how it ramps and what stops it. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import { type ConnectionOptions, openClient, withConnection } from '../client/connection.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { jsonBody, rawMember, strictJson } from '../terminal/json-body.js';
import { readText } from '../terminal/text-file.js';
import { brakeOf, type RampOptions, withRamp } from './ramp-options.js';
import { addReleaseCommand, paramsOf, printState } from './release-options.js';

interface CreateOptions extends ConnectionOptions, RampOptions {
  readonly description?: string;
  readonly file?: string;
}

interface EditOptions extends ConnectionOptions, RampOptions {
  readonly title?: string;
  readonly description?: string;
  /** false: --no-steps. */
  readonly steps: boolean;
  /** false: --no-brake. */
  readonly brake: boolean;
}

const fileMembers = ['changes', 'steps', 'brake'] as const;

export function addReleaseEdit(releases: Command): void {
  withRamp(
    withConnection(releases.command('create'))
      .description('make a release; nothing is delivered')
      .argument('<environment>', 'environment to change')
      .argument('<title>', 'what it is, for people')
      .option('--description <text>', 'what people should know about it')
      .option('--file <file>', 'JSON with any of changes, steps and brake; - reads standard input'),
  ).action(createRelease);
  withRamp(addReleaseCommand(releases, 'edit', 'change title, description, steps or brake'))
    .option('--title <title>', 'what it is, for people')
    .option('--description <text>', 'what people should know about it')
    .option('--no-steps', 'no ramp: it goes live at once')
    .option('--no-brake', 'nothing stops it by itself')
    .action(editRelease);
}

async function createRelease(env: string, title: string, options: CreateOptions): Promise<void> {
  const { description, step } = options;
  const brake = brakeOf(options);
  const file = options.file === undefined ? {} : await readFile(options.file);
  if (step !== undefined && file.steps !== undefined) throw bothWays('--step', 'steps');
  if (brake !== undefined && file.brake !== undefined) throw bothWays('--brake-…', 'a brake');
  const body = jsonBody({ title, description, steps: step, brake }, file);
  const response = await openClient(options).request('POST /environments/:env/releases', {
    params: { env },
    body: new JsonText(body),
  });
  printState(options, response);
}

type FileTexts = { readonly [member in (typeof fileMembers)[number]]?: string };

/** JSON texts of the members; the server checks what is in them. */
async function readFile(path: string): Promise<FileTexts> {
  const text = strictJson(await readText(path), path);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandFailure(`${path} must be a JSON object with changes, steps or brake.`);
  }
  const known: readonly string[] = fileMembers;
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new CommandFailure(
      `${path} has the member "${unknown}"; it may have ${known.join(', ')}.`,
    );
  }
  return Object.fromEntries(Object.keys(value).map((name) => [name, rawMember(text, name)]));
}

function bothWays(option: string, member: string): Error {
  return misuse(`Either ${option} or the file has ${member}, not both.`);
}

async function editRelease(env: string, number: number, options: EditOptions): Promise<void> {
  const { title, description, step } = options;
  const given = brakeOf(options);
  if (step !== undefined && !options.steps) throw misuse('Give either --step or --no-steps.');
  if (given !== undefined && !options.brake) throw misuse('Give either --brake-… or --no-brake.');
  const steps = options.steps ? step : [];
  const brake = options.brake ? given : null;
  if ([title, description, steps, brake].every((value) => value === undefined)) {
    throw misuse('Nothing to change: give --title, --description, --step or --brake-….');
  }
  const response = await openClient(options).request('PATCH /environments/:env/releases/:release', {
    params: paramsOf(env, number),
    body: { title, description, steps, brake },
  });
  printState(options, response);
}
