/** Guards that allow exactly what a path has now, for people to widen. Pure. */

import { guardEnumMax } from '../../../contract/limits.js';
import type { EnvelopePath } from '../../../contract/operations/envelope.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';

/** Blocks everything else. */
export function guardOfPath({ path, types, min, max, values }: EnvelopePath): GuardInput {
  const guard = { path, severity: 'block' } as const;
  if (min !== null && max !== null) {
    return {
      ...guard,
      ...(min.value !== null && { min: min.value }),
      ...(max.value !== null && { max: max.value }),
      type: [...types],
    };
  }
  if (values !== null && values.length > 0 && values.length <= guardEnumMax) {
    return { ...guard, enum: values.map((text) => JSON.parse(text) as string | boolean | null) };
  }
  return { ...guard, type: [...types] };
}
