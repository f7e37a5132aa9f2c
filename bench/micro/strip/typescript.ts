/** The kernel's own strip. */
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';
import { levelsMax, type Text } from './question.js';

export const contender: Contender<Text, Uint8Array> = async ({ bytes }, root) => {
  type Jsonc = typeof import('../../../src/content/json/jsonc.js');
  const { stripJsonc } = await importFrom<Jsonc>(root, 'content/json/jsonc.js');
  return () => stripJsonc(bytes, levelsMax) as Uint8Array;
};
