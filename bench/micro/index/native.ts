/** The addon's index. */
import { type Contender, Skipped } from '../contender.js';
import { nativeContentOf } from '../native.js';

export const contender: Contender<Buffer, Uint32Array> = async (json, root) => {
  const native = await nativeContentOf(root);
  if (native instanceof Skipped) return native;
  return () => native.indexDocument(json).nodes;
};
