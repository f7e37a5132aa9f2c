/** The kernel's own splice. */
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';
import { bytesMax, type Edit } from './question.js';

export const contender: Contender<Edit, Uint8Array> = async ({ json, patch }, root) => {
  type Document = typeof import('../../../src/content/json/document.js');
  type MutationModule = typeof import('../../../src/content/mutation/mutation.js');
  type Splice = typeof import('../../../src/content/mutation/splice.js');
  const { indexDocument } = await importFrom<Document>(root, 'content/json/document.js');
  const mutationPath = 'content/mutation/mutation.js';
  const { compileMutation } = await importFrom<MutationModule>(root, mutationPath);
  const { splice } = await importFrom<Splice>(root, 'content/mutation/splice.js');
  const document = indexDocument(json);
  const mutation = compileMutation('merge', indexDocument(Buffer.from(JSON.stringify(patch))));
  if ('message' in mutation) throw new Error(mutation.message);
  const mutations = [mutation];
  return () => splice(document, mutations, bytesMax).bytes;
};
