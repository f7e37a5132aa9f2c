/** A plain copy of the bytes: nothing that makes a changed document can cost less. */
import type { Contender } from '../contender.js';
import type { Edit } from './question.js';

export const contender: Contender<Edit, Uint8Array> = async ({ json }) => {
  return () => {
    const copied = Buffer.allocUnsafeSlow(json.byteLength);
    copied.set(json);
    return copied;
  };
};
