/** Whether one version can meet several comparisons: each is an end of a range in the order of version keys. */
import type { VersionTest } from './bound-test.js';

interface End {
  readonly key: string;
  readonly isIncluded: boolean;
}

/** False: none can. */
export function canBeVersion(tests: readonly VersionTest[]): boolean {
  let lowest: End = { key: '', isIncluded: true };
  let highest: End | null = null;
  const excluded = new Set<string>();
  for (const { operator, key } of tests) {
    const isIncluded = operator !== '$vgt' && operator !== '$vlt';
    if (operator === '$vne') excluded.add(key);
    if (operator === '$veq' || operator.startsWith('$vg'))
      lowest = higher(lowest, { key, isIncluded });
    if (operator === '$veq' || operator.startsWith('$vl'))
      highest = lower(highest, { key, isIncluded });
  }
  if (highest === null || lowest.key < highest.key) return true;
  if (lowest.key > highest.key) return false;
  return lowest.isIncluded && highest.isIncluded && !excluded.has(lowest.key);
}

function higher(a: End, b: End): End {
  if (a.key !== b.key) return a.key > b.key ? a : b;
  return a.isIncluded ? b : a;
}

function lower(a: End | null, b: End): End {
  if (a === null || a.key !== b.key) return a === null || b.key < a.key ? b : a;
  return a.isIncluded ? b : a;
}
