/** Names of another vendor as names that Loadout admits: the same name always becomes the same, and two never become one. */

import { createHash } from 'node:crypto';
import { callerReaders } from '../../content/condition/condition-grammar.js';
import { contentIdLengthMax, contentKey, isContentId } from '../../content/content-id.js';
import { nameCharsMax } from '../../contract/limits.js';

const foreignInId = /[^A-Za-z0-9._-]+/g;
const edgeDashes = /^-+|-+$/g;
const control = /[\p{Cc}\p{Surrogate}]/gu;
const dots = /^\.{1,2}$/;
const foreignInAttribute = /[.\s]/g;
const digestChars = 8;

export class ContentIds {
  readonly #taken = new Set<string>();

  /** An id for `name`; a name that was asked for before gets another one. */
  take(name: string): string {
    const slug = name.replace(foreignInId, '-').replace(edgeDashes, '');
    const isUsable = isContentId(slug) && !this.#taken.has(contentKey(slug));
    const id = isUsable ? slug : marked(slug, name, contentIdLengthMax);
    this.#taken.add(contentKey(id));
    return id;
  }
}

export function segmentName(name: string): string {
  const clean = name.replace(control, ' ');
  const isUsable = clean.length > 0 && clean.length <= nameCharsMax && !dots.test(clean);
  return isUsable && clean === name ? name : marked(clean, name, nameCharsMax);
}

/** Dots lead into objects, a leading `$` or `@` means something else in a condition, and `__proto__` is no member that one can set. */
export function attributeName(name: string): string {
  const clean = name.replace(foreignInAttribute, '_');
  const isSpecial = clean.startsWith('$') || callerReaders.has(clean) || clean === '__proto__';
  return isSpecial || clean === '' ? `_${clean.slice(1)}` : clean;
}

/** Cut to the limit, with a digest of the whole name. */
function marked(clean: string, name: string, charsMax: number): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, digestChars);
  return `${clean.slice(0, charsMax - digestChars - 1)}-${digest}`;
}
