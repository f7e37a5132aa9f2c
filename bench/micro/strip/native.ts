/** The addon's strip. */
import { type Contender, Skipped } from '../contender.js';
import { nativeContentOf } from '../native.js';
import { levelsMax, type Text } from './question.js';

export const contender: Contender<Text, Uint8Array> = async ({ bytes }, root) => {
  const native = await nativeContentOf(root);
  if (native instanceof Skipped) return native;
  return () => native.stripJsonc(bytes, levelsMax) as Uint8Array;
};
