/** The options that name what is tried out: a revision, another time, and edits that are not saved. */

import type { Command } from 'commander';
import { misuse } from '../terminal/failure.js';
import { strictJson } from '../terminal/json-body.js';
import { parseAppVersion, parseRevisionOrNewest } from '../terminal/parse-option.js';
import { aheadHelp, parseMoment } from '../terminal/parse-time.js';
import { readText, standardInput } from '../terminal/text-file.js';

export interface UnsavedEditOptions {
  readonly at?: string;
  readonly revision?: number | 'newest';
  readonly file?: string;
  readonly line?: string;
  readonly mapping?: string;
}

/** @param past what a time in the past shows */
export function withUnsavedEdit(command: Command, past: string): Command {
  return command
    .option('--at <when>', `another time, such as ${aheadHelp}; ${past}`, parseMoment)
    .option(
      '--revision <number>',
      'a saved revision instead of the live one; newest for the newest draft',
      parseRevisionOrNewest,
    )
    .option('--file <file>', 'evaluate this unsaved text; - reads standard input')
    .option('--line <version>', 'version line of the text; 0.0.0 by default', parseAppVersion)
    .option('--mapping <file>', 'evaluate this unsaved mapping');
}

/** Members of the body: plain ones, and JSON texts that must arrive as they are. */
export interface UnsavedEdit {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, string | undefined>>;
}

export async function readUnsavedEdit(options: UnsavedEditOptions): Promise<UnsavedEdit> {
  const { at, revision, file, line: appVersion, mapping } = options;
  if (appVersion !== undefined && file === undefined) throw misuse('--line needs --file.');
  if (file === standardInput && mapping === standardInput) {
    throw misuse('Standard input holds one text: name a file for the text or for the mapping.');
  }
  const text = file === undefined ? undefined : await readText(file);
  const rules = mapping === undefined ? undefined : strictJson(await readText(mapping), mapping);
  return { fields: { at, revision, text, appVersion }, texts: { mapping: rules } };
}
