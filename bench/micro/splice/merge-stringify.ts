/** The ordinary way, from values that are kept: a merge that copies what it changes, JSON.stringify. */
import type { JsonObject } from '../../data/game-content.js';
import { mergePatch } from '../../data/plain-response.js';
import type { Contender } from '../contender.js';
import type { Edit } from './question.js';

export const contender: Contender<Edit, Uint8Array> = async ({ json, patch }) => {
  const value = JSON.parse(json.toString('utf8')) as JsonObject;
  return () => Buffer.from(JSON.stringify(mergePatch(value, patch)));
};
