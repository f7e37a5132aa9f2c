/** The setting `flags` of a content: which of its values OFREP's bulk evaluation lists. */
import { z } from 'zod';
import { parsePointer } from '../../content/mutation/json-pointer.js';
import { flagCharsMax, flagsBytesMax, flagsMax } from '../limits.js';
import { storable } from './storable.js';

const flagSchema = storable(z.string().max(flagCharsMax)).superRefine((flag, context) => {
  const pointer = parsePointer(flag);
  if (typeof pointer === 'string') context.addIssue(`is not a JSON Pointer: it ${pointer}`);
});

export const flagsSchema = z
  .array(flagSchema)
  .max(flagsMax)
  .superRefine((flags, context) => {
    const first = new Map<string, number>();
    for (const [index, flag] of flags.entries()) {
      const before = first.get(flag);
      if (before === undefined) first.set(flag, index);
      else context.addIssue({ code: 'custom', path: [index], message: `repeats flags[${before}]` });
    }
    if (new TextEncoder().encode(JSON.stringify(flags)).byteLength > flagsBytesMax) {
      context.addIssue(`must have at most ${flagsBytesMax} bytes together, as JSON`);
    }
  })
  .describe(
    'JSON Pointers (RFC 6901) to the values that OFREP lists as flags, in this order; "" is the whole content. A flag\'s key is the id of the content followed by the pointer: `shop/starter/price`.',
  );
