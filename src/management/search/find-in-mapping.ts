/** Finds text in the rules of a mapping, and says in which rule. */
import type { SearchHit } from '../../contract/operations/search/search-content.js';
import { deliveredJson } from '../store/contents/delivered-json.js';
import { findInText, type TextHit, type TextSearch } from './find-in-text.js';

export interface FoundInMapping {
  readonly hits: readonly (TextHit & Pick<SearchHit, 'rule'>)[];
  readonly next: number | null;
}

/** As `findInText`, with the rule of each hit. */
export function findInMapping(search: TextSearch): FoundInMapping {
  const { hits, next } = findInText(search);
  if (hits.length === 0) return { hits: [], next };
  const json = Buffer.from(deliveredJson(search.text)).toString();
  const rules = JSON.parse(json) as readonly { readonly segment: string }[];
  const ruleOf = (path: string): SearchHit['rule'] => {
    const rule = Number(path.split('/', 2)[1]);
    return { rule, segment: rules[rule]?.segment ?? '' };
  };
  return { hits: hits.map((hit) => ({ ...hit, rule: ruleOf(hit.path) })), next };
}
