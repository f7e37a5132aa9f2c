/** The obvious way, from the stored text: JSON.parse, merge, JSON.stringify. */
import jsonMergePatch from 'json-merge-patch';
import type { Contender } from '../contender.js';
import type { Edit } from './question.js';

export const contender: Contender<Edit, Uint8Array> = async ({ json, patch }) => {
  return () => {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return Buffer.from(JSON.stringify(jsonMergePatch.apply(value, patch)));
  };
};
