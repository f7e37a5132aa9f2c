/** `loadout content edit`: the newest text in the editor of the person, saved when it is closed. Nothing that was typed is lost. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { AdminClient } from '../client/admin-client.js';
import { withFindingsAndYes } from '../client/confirm-findings.js';
import { openClient, withEnvironment, withFleetWait } from '../client/connection.js';
import { isAtTerminal, Questions } from '../terminal/ask.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { strictJson } from '../terminal/json-body.js';
import { printNote } from '../terminal/output.js';
import { parseAppVersion, parseRelease } from '../terminal/parse-option.js';
import { readText } from '../terminal/text-file.js';
import { type PutOptions, sendContent } from './content-put.js';
import { lineOf } from './content-show.js';
import { printSaved } from './saved-content.js';

type EditOptions = Pick<
  PutOptions,
  | 'url'
  | 'profile'
  | 'json'
  | 'env'
  | 'waitFleet'
  | 'yes'
  | 'confirm'
  | 'strict'
  | 'appVersion'
  | 'note'
  | 'draft'
  | 'addToRelease'
>;

/** What is edited, and what a save of it is based on. */
interface Edit {
  readonly id: string;
  readonly appVersion: string;
  readonly revision: number;
  readonly text: string;
  /** The edited text. */
  readonly file: string;
}

export function addContentEditor(contents: Command): void {
  withFindingsAndYes(withFleetWait(withEnvironment(contents.command('edit <content>'))))
    .description('edit the newest text in $VISUAL or $EDITOR, and publish it')
    .option(
      '--app-version <version>',
      'the version line to edit, if there are several',
      parseAppVersion,
    )
    .option('--note <text>', 'reason for the change, kept in the history')
    .option('--draft', 'save without publishing', false)
    .option(
      '--add-to-release <number>',
      'save without publishing, and add the revision to this release',
      parseRelease,
    )
    .action(editContent);
}

async function editContent(name: string, options: EditOptions): Promise<void> {
  const editor = findEditor();
  const client = openClient(options);
  const edit = await beginEdit(client, name, options);
  for (;;) {
    await runEditor(editor, edit.file);
    try {
      await saveEdit(client, edit, options);
      rmSync(dirname(edit.file), { recursive: true });
      return;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const isConflict = error.problem === 'revision_conflict';
      if (isConflict || !isAtTerminal()) throw keptDraft(error, edit, options);
      printNote(`error: ${error.message}`);
      if (!(await asksAgain())) throw keptDraft(null, edit, options);
    }
  }
}

function findEditor(): string {
  const { VISUAL: visual = '', EDITOR: editor = '' } = io().env;
  const named = visual || editor;
  if (named !== '') return named;
  if (!isAtTerminal()) throw misuse('Set VISUAL or EDITOR to your editor.');
  return process.platform === 'win32' ? 'notepad' : 'vi';
}

async function beginEdit(client: AdminClient, name: string, options: EditOptions): Promise<Edit> {
  const { value } = await client.request('GET /environments/:env/contents/:id', {
    params: { env: options.env, id: name },
  });
  const { id, newest, live } = value;
  const { appVersion, text } = lineOf(value, options.appVersion);
  if (newest !== live && !options.draft && options.addToRelease === undefined) {
    printNote(`Revision ${newest} is a draft; saving publishes it with your edit.`);
  }
  const file = join(mkdtempSync(join(tmpdir(), 'loadout-edit-')), `${id}.jsonc`);
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return { id, appVersion, revision: newest, text, file };
}

/** Its words may have arguments, as in `code --wait`: a shell takes them apart, as git has it. */
async function runEditor(editor: string, file: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const [program, args] = isWindows
    ? [`${editor} "${file}"`, []]
    : ['sh', ['-c', `${editor} "$@"`, editor, file]];
  // Ctrl-C in the editor is the editor's.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const child = spawn(program, args, { stdio: 'inherit', shell: isWindows });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) {
      const hint = code === 127 ? ' Set VISUAL or EDITOR to your editor.' : '';
      throw new CommandFailure(
        `The editor ${editor} ended with ${code ?? 'a signal'}; nothing was saved. What it wrote is in ${file}.${hint}`,
      );
    }
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** @throws CommandFailure when the text is still needed */
async function saveEdit(client: AdminClient, edit: Edit, options: EditOptions): Promise<void> {
  const { id, appVersion, revision, file } = edit;
  const text = await readText(file);
  // Editors end the last line.
  if (text === edit.text || text === `${edit.text}\n`) {
    printNote('Nothing was changed, and nothing saved.');
    return;
  }
  strictJson(text, id);
  const put = { ...options, appVersion, ifRevision: revision, dryRun: false, watch: false };
  printSaved(options, await sendContent(client, id, file, put));
}

async function asksAgain(): Promise<boolean> {
  const questions = new Questions();
  try {
    const answer = await questions.ask('Edit again? [Y/n] ');
    return !answer.toLowerCase().startsWith('n');
  } catch {
    return false;
  } finally {
    questions.close();
  }
}

/** The failure with the place of what was typed, and how to save it later. */
function keptDraft(
  failure: CommandFailure | null,
  { id, appVersion, revision, file }: Edit,
  { env }: EditOptions,
): CommandFailure {
  const before = failure === null ? '' : `${failure.message}\n`;
  const next =
    failure?.problem === 'revision_conflict'
      ? `\nCompare it with what was saved since revision ${revision} (\`loadout content diff ${id} --env ${env} --from ${revision}\`), then save it:`
      : ' Save it later:';
  return new CommandFailure(
    `${before}Your edit is kept in ${file}.${next} loadout content put ${id} ${file} --env ${env} --app-version ${appVersion}`,
  );
}
