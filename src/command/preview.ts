/** `loadout preview`: what an edit would do to many user contexts, before it is published. */

import { Command } from 'commander';
import { madeUpUsersMax, previewContextsMax } from '../contract/limits.js';
import { madeUpUsersDefault } from '../management/limits.js';
import { adminPath } from './admin-client.js';
import type { PreviewAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { misuse } from './failure.js';
import { isPast } from './format-evaluation.js';
import { formatPreview } from './format-preview.js';
import { jsonBody } from './json-body.js';
import { wholeNumber } from './parse-option.js';
import { readText, standardInput } from './text-file.js';
import { readUnsavedEdit, type UnsavedEditOptions, withUnsavedEdit } from './unsaved-edit.js';

interface PreviewOptions extends EnvironmentOptions, UnsavedEditOptions {
  readonly contexts?: string;
  readonly madeUp?: number;
}

export function previewCommand(): Command {
  const command = withEnvironment(new Command('preview'))
    .description(
      'show what an edit would answer many users, against what is live: your own, or made-up ones',
    )
    .argument('<content>', 'content id')
    .option(
      '--contexts <file>',
      `user contexts as game clients send them, one JSON object a line, at most ${previewContextsMax}; - reads standard input`,
    )
    .option(
      '--made-up <count>',
      `instead of contexts, users who are made up from the rules of both sides; ${madeUpUsersDefault} of them without --contexts`,
      wholeNumber(1, madeUpUsersMax),
    );
  return withUnsavedEdit(
    command,
    'both sides are as of then; a time in the past compares with what was live then, with the segments of then, one in the future with what is live now',
  ).action(preview);
}

async function preview(id: string, options: PreviewOptions): Promise<void> {
  const { contexts, madeUp, file, mapping } = options;
  if (contexts !== undefined && madeUp !== undefined) {
    throw misuse('Name either --contexts or --made-up.');
  }
  if (contexts === standardInput && (file === standardInput || mapping === standardInput)) {
    throw misuse('Standard input holds one text: name a file for the contexts.');
  }
  const { fields, texts } = await readUnsavedEdit(options);
  const count = contexts === undefined ? (madeUp ?? madeUpUsersDefault) : undefined;
  const head = jsonBody({ id, ...fields, madeUp: count }, texts);
  const body = contexts === undefined ? head : `${head}\n${await readText(contexts)}`;
  const path = adminPath('environments', options.env, 'preview');
  const client = openClient(options);
  const answer = await client.call<PreviewAnswer>('POST', path, body, 'application/x-ndjson');
  printAnswer(options, answer, ({ value }) => formatPreview(value, isPast(options.at)));
}
