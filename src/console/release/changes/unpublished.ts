/** Saved drafts that a release can take. Pure. */
import type { ContentSummary } from '../../../contract/operations/contents.js';
import type { ChangeInput, Release } from '../../../contract/schemas/release.js';
import { keyOfChange, nameOfChange, titleOfChange } from '../../releases/words/change-words.js';

export interface UnpublishedItem {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly change: ChangeInput;
}

/** What is known of a segment: `live` null where it is not live. */
export interface SegmentState {
  readonly name: string;
  readonly newest: number;
  readonly live: number | null;
}

/** What the release has in this revision already is left out. */
export function unpublishedItems(
  contents: readonly ContentSummary[],
  segments: readonly SegmentState[],
  release: Pick<Release, 'changes'>,
): UnpublishedItem[] {
  const has = new Map(
    release.changes.map((change) => [
      keyOfChange(nameOfChange(change)),
      change.kind === 'environment' ? null : change.revision,
    ]),
  );
  const changes = [
    ...contents
      .filter(({ newest, live }) => newest > (live ?? 0))
      .map(({ id, newest, live, author }) => ({
        change: { kind: 'content', id, revision: newest } as const,
        ...{ newest, detail: detailOf(newest, live, author) },
      })),
    ...segments
      .filter(({ newest, live }) => newest > (live ?? 0))
      .map(({ name, newest, live }) => ({
        change: { kind: 'segment', name, revision: newest } as const,
        ...{ newest, detail: detailOf(newest, live, '') },
      })),
  ];
  return changes.flatMap(({ change, newest, detail }) => {
    const key = keyOfChange(change);
    return has.get(key) === newest ? [] : [{ key, title: titleOfChange(change), detail, change }];
  });
}

function detailOf(newest: number, live: number | null, author: string): string {
  const by = author === '' ? '' : ` by ${author}`;
  return `Draft r${newest}${by}, ${live === null ? 'nothing is live' : `r${live} is live`}`;
}

export function matching(items: readonly UnpublishedItem[], search: string): UnpublishedItem[] {
  const word = search.trim().toLowerCase();
  return items.filter(({ title }) => title.toLowerCase().includes(word));
}
