/** What became live at once, in words that follow the id of the first content item. Pure. */
import type { OverviewPublication } from '../../../contract/operations/overview.js';
import { counted } from '../../parts/counted.js';

type Published = Pick<OverviewPublication, 'contents' | 'contentsLeftOut'>;

/** Such as `r7 went live`, `r2, events r4 and 3 more went live`, `was taken out of delivery`. */
export function describePublication({ contents, contentsLeftOut }: Published): string {
  const [first, ...others] = contents;
  if (first === undefined) return '';
  if (others.length === 0 && contentsLeftOut === 0) {
    return first.revision === null ? 'was taken out of delivery' : `r${first.revision} went live`;
  }
  const names = others.map(({ id, revision }) => `${id} ${revisionText(revision)}`);
  const more = contentsLeftOut === 0 ? [] : [counted(contentsLeftOut, 'other')];
  return `${revisionText(first.revision)}, ${list.format([...names, ...more])} changed together`;
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

function revisionText(revision: number | null): string {
  return revision === null ? '(removed)' : `r${revision}`;
}
