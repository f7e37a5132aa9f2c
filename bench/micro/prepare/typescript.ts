/** The kernel's own strip, index and hash, one after the other. */
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';
import { levelsMax, type Prepared, type Text } from './question.js';

export const contender: Contender<Text, Prepared> = async ({ bytes }, root) => {
  type Jsonc = typeof import('../../../src/content/json/jsonc.js');
  type Document = typeof import('../../../src/content/json/document.js');
  type Hash = typeof import('../../../src/content/hash.js');
  const { stripJsonc } = await importFrom<Jsonc>(root, 'content/json/jsonc.js');
  const { indexDocument } = await importFrom<Document>(root, 'content/json/document.js');
  const { contentHash } = await importFrom<Hash>(root, 'content/hash.js');
  return () => {
    const document = indexDocument(stripJsonc(bytes, levelsMax) as Uint8Array);
    return { json: document.bytes, hash: contentHash(document.bytes) };
  };
};
