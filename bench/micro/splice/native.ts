/** The addon's splice. */
import { type Contender, Skipped } from '../contender.js';
import { nativeContentOf } from '../native.js';
import { bytesMax, type Edit } from './question.js';

export const contender: Contender<Edit, Uint8Array> = async ({ json, patch }, root) => {
  const native = await nativeContentOf(root);
  if (native instanceof Skipped) return native;
  const document = native.indexDocument(json);
  const value = native.indexDocument(Buffer.from(JSON.stringify(patch)));
  const mutation = native.compileMutation('merge', value);
  if (!('handle' in mutation)) throw new Error(mutation.message);
  const mutations = [mutation];
  return () => native.splice(document, mutations, bytesMax).bytes;
};
