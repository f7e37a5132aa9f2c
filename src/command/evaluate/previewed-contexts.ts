/** The options that name the user contexts of a preview: from a file, made up, or of recent requests. */

import type { Command } from 'commander';
import { madeUpUsersMax, previewContextsMax } from '../../contract/limits.js';
import { madeUpUsersDefault } from '../../management/limits/evaluation.js';
import { misuse } from '../terminal/failure.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { readText } from '../terminal/text-file.js';

export interface PreviewedContexts {
  readonly contexts?: string;
  readonly madeUp?: number;
  readonly sampled?: boolean;
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
    )
    .option(
      '--sampled',
      'use the contexts of recent requests that the environment keeps (env edit --traffic contexts)',
    );
}

export interface ReadContexts {
  /** What follows the first line of the body. */
  readonly lines: string;
  /** Members of the first line. */
  readonly head: { readonly madeUp?: number; readonly sampled?: true };
}

export async function readPreviewedContexts({
  contexts,
  madeUp,
  sampled,
}: PreviewedContexts): Promise<ReadContexts> {
  const named = [contexts, madeUp, sampled].filter((one) => one !== undefined);
  if (named.length > 1) throw misuse('Name one of --contexts, --made-up and --sampled.');
  if (sampled === true) return { lines: '', head: { sampled } };
  if (contexts === undefined) return { lines: '', head: { madeUp: madeUp ?? madeUpUsersDefault } };
  return { lines: `\n${await readText(contexts)}`, head: {} };
}
