/** `loadout api`: any request of the admin API, with the token of the profile. It goes to the server's address and nowhere else. */

import { Command } from 'commander';
import { findServer } from '../profile/find-server.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { printLine } from '../terminal/output.js';
import { collect } from '../terminal/parse-option.js';
import { readText } from '../terminal/text-file.js';
import { openClient, withServer } from './connection.js';

interface ApiOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly body?: string;
  readonly field?: readonly string[];
}

const root = '/admin/v1/';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const withoutBody = ['GET', 'HEAD'];
const scheme = /^[a-z][a-z0-9+.-]*:/i;

export function apiCommand(): Command {
  return withServer(new Command('api'))
    .description('send a request to the admin API and print the body of the response')
    .usage('[options] [method] <path>')
    .argument('<method>', 'GET (which may be left out), POST, PUT, PATCH, DELETE or HEAD')
    .argument('[path]', `such as environments/dev/contents, which is below ${root}; or /readyz`)
    .option('--body <file>', 'body, JSON with comments; - reads standard input')
    .option(
      '--field <name=value>',
      'member of the body, or of the query of a GET; repeatable. JSON where it is some (3, true, "3"), else text',
      collect,
    )
    .addHelpText(
      'after',
      '\nExit code 1, with the problem on stderr, for a status of 400 or above.',
    )
    .action(callApi);
}

async function callApi(
  first: string,
  second: string | undefined,
  options: ApiOptions,
): Promise<void> {
  const isMethod = methods.includes(first.toUpperCase());
  if (!isMethod && second !== undefined) {
    throw misuse(`${first} is none of ${methods.join(', ')}.`);
  }
  if (isMethod && second === undefined) throw misuse(`${first} of what? Give a path.`);
  const [method, path] = second === undefined ? ['GET', first] : [first.toUpperCase(), second];
  const { url } = findServer(options);
  const fields = (options.field ?? []).map(splitField);
  const isQuery = withoutBody.includes(method);
  if (options.body !== undefined && isQuery)
    throw misuse(`${method} has no body: leave out --body.`);
  if (options.body !== undefined && fields.length > 0) {
    throw misuse('Give --body or --field, not both.');
  }
  const target = pathBelow(url, path, isQuery ? fields : []);
  const body = isQuery ? null : await bodyOf(options.body, fields);
  const response = await openClient({ ...options, json: true }).send(method, target, body);
  await printBody(response);
  if (!response.ok) throw new CommandFailure(`${method} ${target}: status ${response.status}`);
}

/**
 * The path from the address on, with its query.
 * @throws CommandFailure when it leads away from the address
 */
export function pathBelow(
  url: string,
  path: string,
  query: readonly (readonly [string, string])[],
): string {
  const rest = path.startsWith('/') ? path : `${root}${path}`;
  const full = scheme.test(path) ? path : `${url}${rest}`;
  const target = URL.canParse(full) ? new URL(full) : null;
  if (target === null || !target.href.startsWith(`${url}/`)) {
    throw misuse(`${path} is not below ${url}: the token goes nowhere else.`);
  }
  target.hash = '';
  for (const [name, value] of query) target.searchParams.append(name, value);
  return target.href.slice(url.length);
}

function splitField(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  if (at < 1) throw misuse(`--field ${field}: it must be name=value.`);
  return [field.slice(0, at), field.slice(at + 1)];
}

async function bodyOf(
  file: string | undefined,
  fields: readonly (readonly [string, string])[],
): Promise<string | null> {
  if (file !== undefined) return strictJson(await readText(file), file);
  if (fields.length === 0) return null;
  return jsonBody({}, Object.fromEntries(fields.map(([name, value]) => [name, jsonOf(value)])));
}

/** The text itself where it is JSON: numbers stay as they are written. */
function jsonOf(value: string): string {
  try {
    JSON.parse(value);
    return value;
  } catch {
    return JSON.stringify(value);
  }
}

/** Bytes as they come; what is JSON ends with a line feed. */
async function printBody(response: Response): Promise<void> {
  const { stdout } = io();
  let last = 0x0a;
  try {
    for await (const chunk of response.body ?? []) {
      last = chunk.at(-1) ?? last;
      await new Promise<void>((resolve) => stdout.write(chunk, () => resolve()));
    }
  } catch (error) {
    throw new CommandFailure(`The response was cut off: ${String(error)}.`);
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (isJson && last !== 0x0a) printLine('');
}
