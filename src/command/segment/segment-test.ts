/** `loadout segment test`: which user contexts a condition matches, and why. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { TestedContext } from '../../contract/operations/segments.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { printWarnings } from '../client/problem.js';
import { type UserContextOptions, userContext, withUserContext } from '../evaluate/user-context.js';
import { misuse } from '../terminal/failure.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { type Column, formatTable } from '../terminal/table.js';
import { contextList, readContexts } from './contexts-file.js';

interface TestOptions extends EnvironmentOptions, UserContextOptions {
  readonly when?: string;
  readonly contexts?: string;
}

/** A context with its result; `line` is where it stands in the file, null for the one of the options. */
interface ResultRow extends TestedContext {
  readonly line: number | null;
}

const columns: readonly Column<ResultRow>[] = [
  { title: 'LINE', text: ({ line }) => (line === null ? '-' : String(line)) },
  { title: 'MATCHES', text: ({ matches }) => (matches ? 'yes' : 'no') },
  { title: 'WHY', text: ({ reason }) => reason },
];

export function addSegmentTest(segments: Command): void {
  const command = withEnvironment(segments.command('test [segment]'))
    .description('test a saved segment, or a condition, on user contexts')
    .option('--when <condition>', 'a condition that is not saved, as JSON')
    .option('--contexts <file>', 'user contexts, one JSON object per line; - reads standard input');
  withUserContext(command).action(testSegment);
}

async function testSegment(name: string | undefined, options: TestOptions): Promise<void> {
  if ((name === undefined) === (options.when === undefined)) {
    throw misuse('Name a segment, or give a condition with --when.');
  }
  const when = options.when === undefined ? undefined : strictJson(options.when, '--when');
  const file = options.contexts === undefined ? null : await readContexts(options.contexts);
  const contexts = file === null ? `[${userContext(options)}]` : contextList(file);
  const body = jsonBody({ name }, { when, contexts });
  const response = await openClient(options).request('POST /environments/:env/segments/test', {
    params: { env: options.env },
    body: new JsonText(body),
  });
  printResponse(options, response, ({ value }) => {
    const rows = value.results.map((result, index) => ({
      ...result,
      line: file?.[index]?.line ?? null,
    }));
    const table = formatTable(columns, rows, '');
    return `${table}${value.matching} of ${value.contexts} match.\n`;
  });
  printWarnings(response.value.warnings);
}
