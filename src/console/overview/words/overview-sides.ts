/** The other environments of an overview, as seen from this one. Pure. */
import type { Drift, Overview } from '../../../contract/operations/overview.js';
import { counted } from '../../parts/counted.js';
import { pathOf } from '../../parts/environments.js';

/** @returns what people call an environment */
export type NameOf = (env: string) => string;

/** Such as `Staging is 5 ahead`, `3 ahead of Production`, `Same as Staging`. */
export function describeDrift(env: string, drift: Drift, nameOf: NameOf): string {
  const { from, to, changed } = drift;
  const isTarget = to === env;
  const other = nameOf(isTarget ? from : to);
  if (changed === 0) return `Same as ${other}`;
  const ahead = counted(changed, 'content item');
  return isTarget ? `${other} is ${ahead} ahead` : `${ahead} ahead of ${other}`;
}

/** The screen on which a sync shows and copies the differences. */
export function syncPath({ from, to }: Pick<Drift, 'from' | 'to'>): string {
  return `${pathOf.sync(to)}?${new URLSearchParams({ from })}`;
}

/** The list of content items with drafts on top. */
export function draftsPath(env: string): string {
  return `${pathOf.contents(env)}?sort=state`;
}

export interface Hotfix {
  readonly id: string;
  readonly author: string;
  readonly savedAt: string;
  readonly drift: Drift;
}

/** Content items that were changed where a sync goes, and would be covered by it. */
export function hotfixesOf({ drift }: Pick<Overview, 'drift'>): Hotfix[] {
  return drift.flatMap((one) =>
    one.contents.flatMap(({ id, conflict, author, savedAt }) =>
      conflict && author !== null && savedAt !== null ? [{ id, author, savedAt, drift: one }] : [],
    ),
  );
}
