/** Merges a change with what went live since it was made, and saves the result as a draft. */
import type { QueryClient } from '@tanstack/react-query';
import type { Release } from '../../../contract/schemas/release.js';
import { contentKeyOf, fetchContent, fetchRevision } from '../../draft/content-query.js';
import { mergeContents, mergedState } from '../../draft/merge-content.js';
import { saveContent } from '../../draft/put-edit.js';
import { titleOfPart } from '../../draft/state-parts.js';
import { listNames } from '../../releases/words/change-words.js';
import type { RebasedChange } from './rebase-dialog.js';

export interface MergedDraft {
  readonly id: string;
  readonly revision: number;
}

/** @throws ApiProblem, ServerAway, and Error with a sentence where both sides changed the same value */
export async function mergeIntoDraft(
  queries: QueryClient,
  env: string,
  change: RebasedChange,
  release: Release,
): Promise<MergedDraft> {
  const { base, live, revision } = change;
  if (change.kind !== 'content' || base === null || live === null || revision === null) {
    throw new Error('Only a revision that has a base and a live revision can be merged.');
  }
  const { id } = change;
  const saved = await fetchContent(env, id);
  const [before, theirs, mine] = await Promise.all(
    [base, live, revision].map(async (number) => {
      const { lines, mapping, flags } = await fetchRevision(env, id, number);
      const { description, tags, schema, guards } = saved;
      return { lines, mapping, flags, description, tags, schema, guards };
    }),
  );
  if (before === undefined || theirs === undefined || mine === undefined) {
    throw new Error('The revisions could not be read.');
  }
  const parts = mergeContents({ base: before, theirs, mine });
  const both = parts.flatMap(({ name, conflicts }) =>
    conflicts.map(({ place }) => `${titleOfPart(name)} ${place}`.trim()),
  );
  if (both.length > 0) {
    throw new Error(
      `Both changed ${listNames(both)}. Put them together in the editor, save a draft, and add that to the release.`,
    );
  }
  const state = mergedState(theirs, parts, () => null);
  const note = `Merged r${revision} with live r${live} for release #${release.release}.`;
  const { revision: merged } = await saveContent({ saved, state, note, publish: false });
  await queries.invalidateQueries({ queryKey: contentKeyOf(env, id) });
  return { id, revision: merged };
}
