/** The kernel's own index. */
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';

export const contender: Contender<Buffer, Uint32Array> = async (json, root) => {
  type Document = typeof import('../../../src/content/json/document.js');
  const { indexDocument } = await importFrom<Document>(root, 'content/json/document.js');
  return () => indexDocument(json).nodes;
};
