/** Hits as the search screen shows them. Pure. */
import type { SearchHit } from '../../contract/operations/search/search-content.js';
import { pathOf } from '../parts/environments.js';
import { foundQuery } from '../parts/found-place.js';

export interface HitGroup {
  /** Id of the content item. */
  readonly content: string;
  readonly hits: readonly SearchHit[];
}

/** By content item, in the order of the hits, which is that of the items. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups: { content: string; hits: SearchHit[] }[] = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last?.content === hit.content) last.hits.push(hit);
    else groups.push({ content: hit.content, hits: [hit] });
  }
  return groups;
}

/** Where the hit is edited: the line of the text, or the rule. */
export function pathOfHit(env: string, hit: SearchHit): string {
  const { content, revision, appVersion, rule, line, column } = hit;
  if (appVersion === null) {
    return `${pathOf.content(env, content, 'mapping')}?rule=${rule?.rule ?? 0}`;
  }
  return `${pathOf.content(env, content)}?${foundQuery({ revision, appVersion, line, column })}`;
}

/** What has the hit: the state, and the version line or the rule. */
export function placeOfHit({ state, revision, appVersion, rule }: SearchHit): string {
  const part = appVersion === null ? `rule ${rule?.segment ?? ''}` : `version ${appVersion}`;
  return `${stateWords[state]} r${revision}, ${part}`;
}

const stateWords: Readonly<Record<SearchHit['state'], string>> = {
  live: 'live',
  draft: 'draft',
  both: 'live and draft',
};
