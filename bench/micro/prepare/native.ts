/** The addon's prepare: everything in one pass over the text. */
import { type Contender, Skipped } from '../contender.js';
import { nativeContentOf } from '../native.js';
import { levelsMax, type Prepared, type Text } from './question.js';

export const contender: Contender<Text, Prepared> = async ({ bytes }, root) => {
  const native = await nativeContentOf(root);
  if (native instanceof Skipped) return native;
  return () => {
    const prepared = native.prepare(bytes, levelsMax, false);
    if (!('document' in prepared)) throw new Error(prepared.message);
    return { json: prepared.document.bytes, hash: prepared.hash };
  };
};
