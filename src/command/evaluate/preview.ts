/** `loadout preview`: what an edit would do to many user contexts, before it is published. */

import { Command } from 'commander';
import { NdjsonText } from '../../contract/client.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { jsonBody } from '../terminal/json-body.js';
import { standardInput } from '../terminal/text-file.js';
import { isPast } from './format-evaluation.js';
import { formatPreview } from './format-preview.js';
import {
  type PreviewedContexts,
  readPreviewedContexts,
  withPreviewedContexts,
} from './previewed-contexts.js';
import { readUnsavedEdit, type UnsavedEditOptions, withUnsavedEdit } from './unsaved-edit.js';

interface PreviewOptions extends EnvironmentOptions, PreviewedContexts, UnsavedEditOptions {}

export function previewCommand(): Command {
  const command = withEnvironment(new Command('preview'))
    .description('compare what many players would get from an edit with what is live')
    .argument('<content>', 'content id');
  return withUnsavedEdit(
    withPreviewedContexts(command),
    'both sides are evaluated at this time; a past time compares with what was live then, with the segments of that time, a future one with what is live now',
  ).action(preview);
}

async function preview(id: string, options: PreviewOptions): Promise<void> {
  const { contexts, file, mapping } = options;
  if (contexts === standardInput && (file === standardInput || mapping === standardInput)) {
    throw misuse('Standard input holds one text: name a file for the contexts.');
  }
  const { fields, texts } = await readUnsavedEdit(options);
  const { lines, head } = await readPreviewedContexts(options);
  const response = await openClient(options).request('POST /environments/:env/preview', {
    params: { env: options.env },
    body: new NdjsonText(`${jsonBody({ id, ...fields, ...head }, texts)}${lines}`),
  });
  printResponse(options, response, ({ value }) => formatPreview(value, isPast(options.at)));
}
