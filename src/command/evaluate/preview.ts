/** `loadout preview`: what an edit would do to many user contexts, before it is published. */

import { Command } from 'commander';
import { NdjsonText } from '../../contract/client.js';
import { madeUpUsersMax, previewContextsMax } from '../../contract/limits.js';
import { madeUpUsersDefault } from '../../management/limits.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { jsonBody } from '../terminal/json-body.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { readText, standardInput } from '../terminal/text-file.js';
import { isPast } from './format-evaluation.js';
import { formatPreview } from './format-preview.js';
import { readUnsavedEdit, type UnsavedEditOptions, withUnsavedEdit } from './unsaved-edit.js';

interface PreviewOptions extends EnvironmentOptions, UnsavedEditOptions {
  readonly contexts?: string;
  readonly madeUp?: number;
}

export function previewCommand(): Command {
  const command = withEnvironment(new Command('preview'))
    .description('compare what many players would get from an edit with what is live')
    .argument('<content>', 'content id')
    .option(
      '--contexts <file>',
      `user contexts as game clients send them, one JSON object per line, at most ${previewContextsMax}; - reads standard input`,
    )
    .option(
      '--made-up <count>',
      `use made-up users, derived from the rules of both sides; ${madeUpUsersDefault} of them without --contexts`,
      wholeNumber(1, madeUpUsersMax),
    );
  return withUnsavedEdit(
    command,
    'both sides are evaluated at this time; a past time compares with what was live then, with the segments of that time, a future one with what is live now',
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
  const response = await openClient(options).request('POST /environments/:env/preview', {
    params: { env: options.env },
    body: new NdjsonText(body),
  });
  printResponse(options, response, ({ value }) => formatPreview(value, isPast(options.at)));
}
