/** `loadout release preview`: what all changes of a release together do to many user contexts. */

import type { Command } from 'commander';
import { NdjsonText } from '../../contract/client.js';
import type { Preview } from '../../contract/operations/preview.js';
import type { ClientResponse } from '../client/admin-client.js';
import { type ConnectionOptions, openClient, printResponse } from '../client/connection.js';
import { formatPreview } from '../evaluate/format-preview.js';
import {
  type PreviewedContexts,
  readPreviewedContexts,
  withPreviewedContexts,
} from '../evaluate/previewed-contexts.js';
import { Progress } from '../terminal/progress.js';
import { addReleaseCommand, paramsOf, readRelease } from './release-options.js';

interface PreviewOptions extends ConnectionOptions, PreviewedContexts {}

export function addReleasePreview(releases: Command): void {
  const command = addReleaseCommand(
    releases,
    'preview',
    'compare what many players would get from the whole release with what is live',
  ).argument('[contents...]', 'only these contents of its reach; by default all');
  withPreviewedContexts(command).action(previewRelease);
}

async function previewRelease(
  env: string,
  number: number,
  contents: readonly string[],
  options: PreviewOptions,
): Promise<void> {
  const client = openClient(options);
  const { lines, head: which } = await readPreviewedContexts(options);
  const { reach } = (await readRelease(client, paramsOf(env, number))).value;
  const ids = contents.length === 0 ? reach.contents : contents;
  const progress = new Progress('preview');
  const previews: ClientResponse<Preview>[] = [];
  for (const [at, id] of ids.entries()) {
    progress.show(at / ids.length);
    const head = JSON.stringify({ id, release: number, ...which });
    const body = new NdjsonText(`${head}${lines}`);
    previews.push(
      await client.request('POST /environments/:env/preview', { params: { env }, body }),
    );
  }
  progress.end();
  const text = `{"previews":[${previews.map((preview) => preview.text).join(',')}]}`;
  printResponse(options, { value: null, text }, () =>
    previews.length === 0
      ? 'The release reaches no content.\n'
      : previews.map(({ value }) => formatPreview(value)).join('\n'),
  );
}
