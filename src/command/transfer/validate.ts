/** `loadout validate`: checks a folder of contents without a server, as saving each of them would. */

import { Command } from 'commander';
import { stripJsonc } from '../../content/json/jsonc.js';
import { TextIssue } from '../../content/json/text-issue.js';
import type { ContentLine, TransferLine } from '../../contract/schemas/transfer-line.js';
import { validateState } from '../../management/contents/validate/validate-state.js';
import { formatProblemError, type ProblemError } from '../client/problem.js';
import { counted } from '../terminal/counted.js';
import { CommandFailure } from '../terminal/failure.js';
import { inputLevelsMax } from '../terminal/limits.js';
import { printLine, printNote } from '../terminal/output.js';
import { ImportFolder } from './import-folder.js';

interface ValidateOptions {
  readonly dir: string;
  readonly json: boolean;
}

/** What was found in one content. */
interface Validated {
  readonly id: string;
  readonly errors: readonly ProblemError[];
  readonly warnings: readonly ProblemError[];
}

export function validateCommand(): Command {
  return new Command('validate')
    .description('check a folder of `loadout export --dir`, without a server')
    .requiredOption('--dir <folder>', 'the folder to check')
    .option('--json', 'print the findings as JSON', false)
    .addHelpText(
      'after',
      '\nChecks texts, targeting rules and schemas, each content by itself. What depends on an environment, such as its saved\nsegments, its guards and what is live, only `loadout import --dry-run` knows. Exits with 1 if an import would be rejected.',
    )
    .action(validateFolder);
}

async function validateFolder({ dir, json }: ValidateOptions): Promise<void> {
  const contents: Validated[] = [];
  for await (const bytes of new ImportFolder(dir).lines()) {
    const line: TransferLine = JSON.parse(Buffer.from(bytes).toString());
    if (line.kind === 'content') contents.push(await validate(line));
  }
  const errors = contents.reduce((sum, content) => sum + content.errors.length, 0);
  if (json) {
    printLine(JSON.stringify({ contents }));
  } else {
    for (const { id, errors: found, warnings } of contents) {
      for (const error of found) printNote(`error: ${formatProblemError(placed(id, error))}`);
      for (const warning of warnings) {
        printNote(`warning: ${formatProblemError(placed(id, warning))}`);
      }
    }
    printLine(`Checked ${counted(contents.length, 'content')}: ${counted(errors, 'error')}.`);
  }
  if (errors > 0) throw new CommandFailure(`${dir} cannot be imported.`);
}

async function validate(content: ContentLine): Promise<Validated> {
  const { id, flags = [] } = content;
  const lines = content.lines.map(({ appVersion, text }) => {
    return { version: appVersion, text: Buffer.from(text) };
  });
  const unreadable = lines.flatMap(({ version, text }) => issueOf(version, text));
  if (unreadable.length > 0) return { id, errors: unreadable, warnings: [] };
  const mapping = bytesOf(content.mapping);
  const schema = bytesOf(content.schema)?.toString() ?? null;
  const state = { lines, mapping, schema, flags };
  const { problem, mismatch, warnings } = await validateState(state);
  const rejected = problem ?? mismatch;
  const errors = rejected === null ? [] : (rejected.errors ?? [{ message: rejected.detail }]);
  return { id, errors, warnings };
}

function issueOf(version: string, text: Uint8Array): readonly ProblemError[] {
  const json = stripJsonc(text, inputLevelsMax);
  if (!(json instanceof TextIssue)) return [];
  const { message, line, column } = json;
  return [{ path: `line ${version}`, message, line, column }];
}

function bytesOf(value: unknown): Buffer | null {
  if (value === null || value === undefined) return null;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function placed(id: string, error: ProblemError): ProblemError {
  const path = error.path === undefined || error.path === '' ? id : `${id}, ${error.path}`;
  return { ...error, path };
}
