/** How a flag's value came about, in the words of OpenFeature (specification, "Resolution reason"). */
import type { AppliedRule } from '../selection.js';

export interface FlagReason {
  readonly reason: 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT';
  readonly variant: string;
}

const unchanged = 'default';

/**
 * @param hasRules whether the content has any targeting rules
 * @param applied the rules that applied, in rule order: those of `meta.seg`
 */
export function flagReasonOf(hasRules: boolean, applied: readonly AppliedRule[]): FlagReason {
  if (!hasRules) return { reason: 'STATIC', variant: unchanged };
  if (applied.length === 0) return { reason: 'DEFAULT', variant: unchanged };
  const variant = applied
    .map(({ segment, variant: drawn }) => (drawn === null ? segment : `${segment}:${drawn}`))
    .join(',');
  const isDrawn = applied.some(({ variant: drawn }) => drawn !== null);
  return { reason: isDrawn ? 'SPLIT' : 'TARGETING_MATCH', variant };
}
