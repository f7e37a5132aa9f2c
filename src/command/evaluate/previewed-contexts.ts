/** The options that name the user contexts of a preview: from a file, or made up. */

import type { Command } from 'commander';
import { madeUpUsersMax, previewContextsMax } from '../../contract/limits.js';
import { madeUpUsersDefault } from '../../management/limits.js';
import { misuse } from '../terminal/failure.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { readText } from '../terminal/text-file.js';

export interface PreviewedContexts {
  readonly contexts?: string;
  readonly madeUp?: number;
}

export function withPreviewedContexts(command: Command): Command {
  return command
    .option(
      '--contexts <file>',
      `user contexts as game clients send them, one JSON object per line, at most ${previewContextsMax}; - reads standard input`,
    )
    .option(
      '--made-up <count>',
      `use made-up users, derived from the rules of both sides; ${madeUpUsersDefault} of them without --contexts`,
      wholeNumber(1, madeUpUsersMax),
    );
}

/** @returns what follows the first line of the body, and its member `madeUp` */
export async function readPreviewedContexts({
  contexts,
  madeUp,
}: PreviewedContexts): Promise<{ readonly lines: string; readonly madeUp: number | undefined }> {
  if (contexts === undefined) return { lines: '', madeUp: madeUp ?? madeUpUsersDefault };
  if (madeUp !== undefined) throw misuse('Name either --contexts or --made-up.');
  return { lines: `\n${await readText(contexts)}`, madeUp: undefined };
}
